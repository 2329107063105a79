import { create, toBinary } from "@bufbuild/protobuf";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { ChangeSchema } from "@storefront/contracts/type/v1/change";
import { EncodedWriter } from "@storefront/rpc";
import { timestampFromDate, timestampFromMs, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { LogEntry } from "./log-entry.ts";
import { identityOf } from "./log-position.ts";

const fields = FeedEntrySchema.field;
/** Field numbers of google.protobuf.Any. */
const anyFields = { typeUrl: 1, value: 2 };

/**
 * A FeedEntry in its serialized form, without `sequence`, `committed_at` and `identity`, which the
 * database gives; see {@link encodeCommitted}.
 */
export function encodeEntry(entry: LogEntry): Uint8Array {
  const writer = new EncodedWriter().string(fields.kind.number, entry.kind);
  writer
    .messages(fields.key.number, bytesOf(entry.key))
    .string(fields.namespace.number, entry.namespace)
    .message(
      fields.observedAt.number,
      toBinary(TimestampSchema, timestampFromDate(entry.observedAt)),
    );
  for (const change of entry.changes) {
    writer.message(fields.changes.number, toBinary(ChangeSchema, create(ChangeSchema, change)));
  }
  if (entry.record !== undefined) {
    const packed = new EncodedWriter()
      .string(anyFields.typeUrl, `type.googleapis.com/${entry.record.schema.typeName}`)
      .message(anyFields.value, entry.record.bytes)
      .finish();
    writer.message(fields.record.number, packed);
  }
  return writer
    .varint(fields.isForgotten.number, entry.isForgotten === true ? 1 : 0)
    .messages(fields.subjectKey.number, bytesOf(entry.subjectKey ?? []))
    .finish();
}

function bytesOf(key: readonly string[]): Uint8Array[] {
  return key.map((part) => Buffer.from(part, "utf8"));
}

/**
 * A whole FeedEntry in its serialized form. The fields of a serialized message may stand in any
 * order, so what the database gave stands in front of the bytes of `encodeEntry`, undecoded.
 *
 * @param committedUs when it was committed, in microseconds since 1970
 */
export function encodeCommitted(
  sequence: bigint,
  committedUs: bigint,
  entry: Uint8Array,
): Uint8Array {
  const committedAt = timestampFromMs(Number(committedUs / 1_000n));
  return new EncodedWriter()
    .varint(fields.sequence.number, sequence)
    .message(fields.committedAt.number, toBinary(TimestampSchema, committedAt))
    .string(fields.identity.number, identityOf(committedUs))
    .raw(entry)
    .finish();
}
