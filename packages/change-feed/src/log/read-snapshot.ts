import type { ServiceImpl } from "@connectrpc/connect";
import { ReadSnapshotResponseSchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import { encodeEntry } from "./log-entry.ts";
import type { CurrentRecords, LogEntry, RecordsWithPast } from "./log-entry.ts";
import { maxBatchBytes, maxBatchEntries } from "./log-source.ts";
import type { LogPosition, LogSource } from "./log-source.ts";

const fields = ReadSnapshotResponseSchema.field;

export function readSnapshot(deps: {
  source: LogSource;
  records: CurrentRecords;
  recordsWithPast: RecordsWithPast;
}): ServiceImpl<typeof FeedService>["readSnapshot"] {
  return async function* read(request, { signal }) {
    const { kinds, withPast } = request;
    const requestedKinds = kinds.length === 0 ? undefined : kinds;
    const limit = withPast || kinds.length !== 1 ? 0 : request.limit;
    // Before the first record, so that the log after it has all later writes.
    const position = await deps.source.newest();
    const records = () =>
      limit === 0
        ? deps.records(requestedKinds)
        : firstRecords(deps.records(requestedKinds, request.afterKey), limit);
    const entries = withPast ? deps.recordsWithPast(requestedKinds, position) : records();
    for await (const message of snapshotBatches({ ...position, withPast, limit }, entries)) {
      if (signal.aborted) return;
      yield encoded(ReadSnapshotResponseSchema, message);
    }
  };
}

/** The first records, with all entries of each. */
async function* firstRecords(
  entries: AsyncIterable<LogEntry>,
  limit: number,
): AsyncGenerator<LogEntry> {
  let last: string | undefined;
  let count = 0;
  for await (const entry of entries) {
    const key = JSON.stringify(entry.key);
    if (key !== last && ++count > limit) return;
    last = key;
    yield entry;
  }
}

/** Part of every message of a snapshot: the position of the log before the first record was read. */
interface SnapshotHead extends LogPosition {
  readonly withPast: boolean;
  /** 0 for none. */
  readonly limit: number;
}

/**
 * Serializes records as messages of a snapshot. The first message has no records and is sent before any read,
 * so that a slow start does not look like a broken stream.
 */
async function* snapshotBatches(
  head: SnapshotHead,
  records: AsyncIterable<LogEntry>,
): AsyncGenerator<Uint8Array> {
  yield messageOf([], head);
  let batch: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const record of records) {
    const entry = encodeEntry(record);
    if (batch.length === maxBatchEntries || sizeBytes + entry.length > maxBatchBytes) {
      yield messageOf(batch, head);
      batch = [];
      sizeBytes = 0;
    }
    batch.push(entry);
    sizeBytes += entry.length;
  }
  if (batch.length > 0) yield messageOf(batch, head);
}

function messageOf(
  entries: readonly Uint8Array[],
  { sequence, identity, withPast, limit }: SnapshotHead,
): Uint8Array {
  return new EncodedWriter()
    .messages(fields.entries.number, entries)
    .varint(fields.sequence.number, sequence)
    .string(fields.identity.number, identity)
    .varint(fields.hasPast.number, withPast ? 1 : 0)
    .varint(fields.limit.number, limit)
    .finish();
}
