import { openDatabase } from "@storefront/database";
import { createPostgresEngine } from "../../src/index.ts";
import { requestReindex } from "../../src/indexing/reindex-control.ts";
import { runReindex } from "../../src/indexing/run-reindex.ts";
import { reindexReplica } from "./reindex-replica.ts";

/** A reindex in a separate process that stops halfway, to be killed: `node <file> <database URL>`. */
const [, , url = ""] = process.argv;
const database = await openDatabase({ url, maxConnections: 5 });
const engine = createPostgresEngine(database);
let writes = 0;
const replica = reindexReplica(database, "killed", {
  ...engine,
  write: async (tx, generation, documents) => {
    const refused = await engine.write(tx, generation, documents);
    writes += 1;
    if (writes < 2) return refused;
    process.stdout.write("in the midst of it\n");
    return await new Promise(() => {});
  },
});
const number = await requestReindex(replica, "a test");
await runReindex(replica, number, new AbortController().signal);
