import type { Database } from "@storefront/database";
import type { SearchEngine } from "../../src/engine/search-engine.ts";
import { createPostgresEngine } from "../../src/index.ts";
import { IndexConfiguration } from "../../src/indexing/index-configuration.ts";
import type { ReindexDependencies } from "../../src/indexing/reindex-steps.ts";
import { TrainingStore } from "../../src/store/training-store.ts";

/** The dependencies of a reindex by a process with this name, without vectors. */
export function reindexReplica(
  database: Database,
  holder: string,
  engine: SearchEngine = createPostgresEngine(database),
): ReindexDependencies {
  const signature = "s";
  return {
    database,
    engine,
    signature,
    holder,
    configuration: new IndexConfiguration({
      database,
      signature: async () => signature,
      projectionVersion: 1,
    }),
    embedder: undefined,
    trainings: new TrainingStore(database),
    wake: () => {},
  };
}
