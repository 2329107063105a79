import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import type { Database } from "@storefront/database";
import { IngestMetrics } from "@storefront/ingest";
import { invalidFields } from "@storefront/rpc";
import type { Metrics } from "@storefront/telemetry";
import type { Fault } from "../domain/check-entry.ts";
import { lockEntries, storedEntries, storeEntries } from "../store/entry-writer.ts";
import type { NewEntry } from "../store/new-entry.ts";
import { isSameEntry, readForeignEntry } from "./foreign-entry.ts";
import type { ChangelogIngestHandlers } from "./handlers.ts";

const maxBatchSize = 1_000;

/** Name of the only kind of record of this service. */
const entryKind = "entry";

export function ingestEntries(deps: {
  database: Database;
  /** Where batches are counted; default nowhere. */
  metrics?: Metrics | undefined;
}): ChangelogIngestHandlers["ingestEntries"] {
  const counts = deps.metrics && new IngestMetrics(deps.metrics, [entryKind]);
  return async function* ingest(requests) {
    for await (const { entries } of requests) {
      if (entries.length === 0 || entries.length > maxBatchSize) {
        const description = `must have 1 to ${maxBatchSize} elements`;
        throw invalidFields([{ field: "entries", description }]);
      }
      const stored = () => storeBatch(deps.database, entries);
      const kinds = entries.map(() => entryKind);
      yield await (counts?.observe(kinds, stored) ?? stored());
    }
  };
}

async function storeBatch(database: Database, entries: readonly Entry[]) {
  const read = entries.map(readForeignEntry);
  const rejections = read.flatMap((entry, index) => {
    if (isEntry(entry)) return [];
    return [{ index, reason: `entry.${entry.field} ${entry.rule}`, field: entry.field }];
  });
  const outcomes = await database.transaction(async (tx) => {
    await lockEntries(tx);
    const accepted = read.filter(isEntry);
    const known = await storedEntries(
      tx,
      accepted.map(({ id }) => id),
    );
    const fresh: NewEntry[] = [];
    const outcomesOfBatch = read.map((entry) => {
      if (!isEntry(entry) || entry.bytes === undefined) return IngestOutcome.REJECTED;
      const stored = known.get(entry.id);
      if (stored !== undefined) {
        return isSameEntry(stored, entry.bytes) ? IngestOutcome.UNCHANGED : IngestOutcome.STALE;
      }
      // The next entry of the batch with this id is compared with this one.
      known.set(entry.id, entry.bytes);
      fresh.push(entry);
      return IngestOutcome.WRITTEN;
    });
    await storeEntries(tx, fresh);
    return outcomesOfBatch;
  });
  return { outcomes, rejections };
}

function isEntry(read: NewEntry | Fault): read is NewEntry {
  return "bytes" in read;
}
