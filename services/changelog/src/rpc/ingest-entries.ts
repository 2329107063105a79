import type { ChangelogIngestHandlers } from "./handlers.ts";
import { readForeignEntry } from "./sent-entry.ts";
import { storeBatch } from "./store-batch.ts";
import type { BatchDependencies } from "./store-batch.ts";

export function ingestEntries(deps: BatchDependencies): ChangelogIngestHandlers["ingestEntries"] {
  return async function* ingest(requests) {
    for await (const { entries } of requests) {
      const kinds = entries.map(() => "entry");
      yield await storeBatch(deps, kinds, () => entries.map(readForeignEntry));
    }
  };
}
