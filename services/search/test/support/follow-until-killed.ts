import { openDatabase } from "@storefront/database";
import { createTransport } from "@storefront/rpc";
import { createLogger } from "@storefront/process";
import { once } from "node:events";
import { createSearchService, createTypesenseEngine } from "../../src/index.ts";

/**
 * A search in a separate process, to be killed: `node <file> <database URL> <catalog URL> <pricing URL>
 * <reviews URL> <changelog URL> [<Typesense URL> <key> <prefix>]`. Follows after any standard input.
 */
const [, , url = "", catalog = "", pricing = "", reviews = "", changelog = ""] = process.argv;
const [typesenseUrl, apiKey = "", prefix = ""] = process.argv.slice(7);
const urls = { catalog, pricing, reviews, changelog };
const database = await openDatabase({ url, maxConnections: 5 });
const service = createSearchService({
  database,
  logger: createLogger({ service: "search", level: "silent" }),
  ingestTokens: ["a token of sixteen letters"],
  ...(typesenseUrl !== undefined && {
    engine: createTypesenseEngine({ urls: [typesenseUrl], apiKey, prefix }),
  }),
  transportTo: (name) => createTransport({ baseUrl: urls[name] }),
});
await once(process.stdin, "data");
service.start();
process.stdout.write("following\n");
