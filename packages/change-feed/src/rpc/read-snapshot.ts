import { ReadSnapshotResponseSchema } from "@storefront/contracts/feed/v1/feed_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import { encodeEntry } from "../encode-entry.ts";
import type { CurrentRecords, LogEntry } from "../log-entry.ts";
import type { LogPosition } from "../log-position.ts";
import { maxBatchBytes, maxBatchEntries } from "../log-source.ts";
import type { LogSource } from "../log-source.ts";
import { streamed, wantedOf } from "./handlers.ts";
import type { FeedHandlers } from "./handlers.ts";

const fields = ReadSnapshotResponseSchema.field;

export function readSnapshot(deps: {
  source: LogSource;
  records: CurrentRecords;
}): FeedHandlers["readSnapshot"] {
  async function* read(kinds: string[], signal: AbortSignal) {
    // Before the first record: whatever is written from here on is in the log after it.
    const position = await deps.source.newest();
    for await (const message of snapshotBatches(position, deps.records(wantedOf(kinds)))) {
      if (signal.aborted) return;
      yield encoded(ReadSnapshotResponseSchema, message);
    }
  }
  return ({ kinds }, { signal }) => streamed(read(kinds, signal));
}

/**
 * Records as serialized messages of a snapshot. The first has no records and is given before any is
 * read, so that a slow beginning does not look like a broken stream.
 *
 * @param position of the log before the first record was read
 */
async function* snapshotBatches(
  position: LogPosition,
  records: AsyncIterable<LogEntry>,
): AsyncGenerator<Uint8Array> {
  yield messageOf([], position);
  let batch: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const record of records) {
    const entry = encodeEntry(record);
    if (batch.length === maxBatchEntries || sizeBytes + entry.length > maxBatchBytes) {
      yield messageOf(batch, position);
      batch = [];
      sizeBytes = 0;
    }
    batch.push(entry);
    sizeBytes += entry.length;
  }
  if (batch.length > 0) yield messageOf(batch, position);
}

function messageOf(entries: readonly Uint8Array[], position: LogPosition): Uint8Array {
  return new EncodedWriter()
    .messages(fields.entries.number, entries)
    .varint(fields.sequence.number, position.sequence)
    .string(fields.identity.number, position.identity)
    .finish();
}
