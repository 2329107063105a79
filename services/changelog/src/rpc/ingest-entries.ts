import type { Database } from "@storefront/database";
import type { IngestMetrics } from "@storefront/ingest";
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
      const kinds = entries.map(() => "entry");
      const stored = () => storeBatch(deps.database, entries.map(readForeignEntry), kinds);
      yield await (deps.counts?.observe(kinds, stored) ?? stored());
    }
  };
}
