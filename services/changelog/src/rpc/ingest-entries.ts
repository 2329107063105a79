import type { Database } from "@storefront/database";
import { maxBatchSize } from "@storefront/ingest";
import type { IngestMetrics } from "@storefront/ingest";
import { invalidFields } from "@storefront/rpc";
import type { ChangelogIngestHandlers } from "./handlers.ts";
import { readForeignEntry } from "./sent-entry.ts";
import { storeBatch } from "./store-batch.ts";

export function ingestEntries(deps: {
  database: Database;
  /** Where batches are counted; default nowhere. */
  counts?: IngestMetrics | undefined;
}): ChangelogIngestHandlers["ingestEntries"] {
  return async function* ingest(requests) {
    for await (const { entries } of requests) {
      if (entries.length === 0 || entries.length > maxBatchSize) {
        const description = `must have 1 to ${maxBatchSize} elements`;
        throw invalidFields([{ field: "entries", description }]);
      }
      const kinds = entries.map(() => "entry");
      const stored = () => storeBatch(deps.database, entries.map(readForeignEntry), kinds);
      yield await (deps.counts?.observe(kinds, stored) ?? stored());
    }
  };
}
