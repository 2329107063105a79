import { startPglite } from "./start-pglite.ts";

// A process that makes an empty database and ends: see `makeClusterAside`.
const directory = process.argv[2];
if (directory === undefined) throw new TypeError("The directory is missing.");
// Whoever waits for it is gone, perhaps killed.
const end = () => process.exit(1);
process.once("disconnect", end);
const lite = await startPglite({ dataDir: directory });
await lite.close();
process.off("disconnect", end);
process.disconnect();
