import { openDatabase } from "@storefront/database";
import { createTransport } from "@storefront/rpc";
import { createLogger } from "@storefront/telemetry";
import { once } from "node:events";
import { createChangelogService } from "../../src/index.ts";

/**
 * A changelog in a process of its own, to be killed: `node <file> <database URL> <catalog URL>`. Follows
 * once something comes on standard input.
 */
const [, , url = "", baseUrl = ""] = process.argv;
const database = await openDatabase({ url, maxConnections: 2 });
const service = createChangelogService({
  database,
  logger: createLogger({ service: "changelog", level: "silent" }),
  ingestTokens: ["a token of sixteen letters"],
  catalog: createTransport({ baseUrl }),
});
await once(process.stdin, "data");
service.start();
process.stdout.write("following\n");
