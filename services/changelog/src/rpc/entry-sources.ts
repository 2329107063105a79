import { toBinary } from "@bufbuild/protobuf";
import { timestampFromDate, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { LogSource } from "@storefront/change-feed";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { EncodedWriter } from "@storefront/rpc";
import type { EntryLog, LoggedEntry } from "../store/entry-log.ts";

/** Kind of everything in this service's feed. */
export const entryKind = "entry";

const fields = FeedEntrySchema.field;
/** Field numbers of google.protobuf.Any. */
const anyFields = { typeUrl: 1, value: 2 };

/** The log as Entry messages, for WatchEntries. */
export function entrySource(log: EntryLog): LogSource {
  return sourceOf(log, ({ entry }) => entry);
}

/** The log as FeedEntry messages, for FeedService: kind `entry`, the Entry as its record. */
export function feedSource(log: EntryLog): LogSource {
  return sourceOf(log, feedEntryOf);
}

function sourceOf(log: EntryLog, encode: (entry: LoggedEntry) => Uint8Array): LogSource {
  return {
    async read(after, kinds) {
      const { entries, newest } = await log.read(after);
      const through = entries.at(-1)?.position ?? newest;
      const isWanted = kinds === undefined || kinds.includes(entryKind);
      return { entries: isWanted ? entries.map(encode) : [], through, newest };
    },
    newest: () => log.newest(),
  };
}

function feedEntryOf(logged: LoggedEntry): Uint8Array {
  const { position, id, namespace, observed_at, committed_at, entry } = logged;
  const packed = new EncodedWriter()
    .string(anyFields.typeUrl, `type.googleapis.com/${EntrySchema.typeName}`)
    .message(anyFields.value, entry)
    .finish();
  return new EncodedWriter()
    .varint(fields.sequence.number, position)
    .string(fields.kind.number, entryKind)
    .string(fields.key.number, id)
    .string(fields.namespace.number, namespace)
    .message(fields.observedAt.number, timestampBytes(observed_at))
    .message(fields.committedAt.number, timestampBytes(committed_at))
    .message(fields.record.number, packed)
    .finish();
}

function timestampBytes(date: Date): Uint8Array {
  return toBinary(TimestampSchema, timestampFromDate(date));
}
