import { openDatabase } from "@storefront/database";
import { createTransport, serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/process";
import { once } from "node:events";
import { createChangelogService } from "../../src/changelog-service.ts";

/**
 * A changelog in a separate process, to be killed: `node <file> <database URL> <catalog URL>`. Follows after any
 * standard input, and writes its port.
 */
const [, , url = "", baseUrl = ""] = process.argv;
const database = await openDatabase({ url, maxConnections: 2 });
const logger = createLogger({ service: "changelog", level: "silent" });
const service = createChangelogService({
  database,
  logger,
  ingestTokens: ["a token of sixteen letters"],
  transportTo: () => createTransport({ baseUrl }),
});
const { port } = await serve({
  ...service,
  name: "changelog",
  port: 0,
  grpcPort: 0,
  host: "127.0.0.1",
  logger,
  metrics: createMetrics({ service: "changelog" }),
});
await once(process.stdin, "data");
service.start();
process.stdout.write(`${port}\n`);
