import { buildPages, replacePages } from "./build-pages.ts";
import { builtPages } from "./built-pages.ts";

// For container images, which name the directory: `node packages/explorer/build/main.ts [directory]`.
const directory = process.argv[2];
// The parent process has ended, perhaps killed: see `buildPagesAside`.
const end = () => process.exit(1);
process.once("disconnect", end);
if (directory === undefined) await buildPages((await builtPages()).directory);
else await replacePages(directory);
process.off("disconnect", end);
if (process.connected) process.disconnect();
