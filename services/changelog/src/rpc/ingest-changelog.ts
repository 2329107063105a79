import type { ChangelogObservation } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { Database } from "@storefront/database";
import type { IngestMetrics } from "@storefront/ingest";
import type { Fault } from "../domain/check-entry.ts";
import type { NewEntry } from "../store/new-entry.ts";
import type { ChangelogIngestHandlers } from "./handlers.ts";
import { readRestoredSubject } from "./restored-subject.ts";
import { readForeignEntry, readRestoredEntry } from "./sent-entry.ts";
import { storeBatch } from "./store-batch.ts";

export function ingestChangelog(deps: {
  database: Database;
  /** Where batches are counted; default nowhere. */
  counts?: IngestMetrics | undefined;
}): ChangelogIngestHandlers["ingestChangelog"] {
  return async function* ingest(requests) {
    for await (const { observations } of requests) {
      const kinds = observations.map(({ record }) => record.case);
      const stored = () => storeBatch(deps.database, observations.map(readObservation), kinds);
      yield await (deps.counts?.observe(kinds, stored) ?? stored());
    }
  };
}

function readObservation({ operation, record }: ChangelogObservation): NewEntry | Fault {
  if (operation === ObservationOperation.DELETE) {
    return { field: "", rule: "cannot be deleted" };
  }
  switch (record.case) {
    case "entry":
      return operation === ObservationOperation.RESTORE
        ? readRestoredEntry(record.value)
        : readForeignEntry(record.value);
    case "entrySubject":
      return readRestoredSubject(record.value);
    default:
      return { field: "record", rule: "is required" };
  }
}
