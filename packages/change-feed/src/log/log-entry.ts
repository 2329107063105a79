import { create, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, timestampFromMs, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { ChangeSchema } from "@storefront/contracts/type/v1/change";
import { bulkInsert } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import { EncodedWriter } from "@storefront/rpc";
import { identityOf } from "./log-source.ts";
import type { LogPosition } from "./log-source.ts";

/** A write, as an owner service hands it to its change log. */
export interface LogEntry {
  /** Kind of record as in the import format. */
  readonly kind: string;
  /** The identity members of the record, in their documented order. */
  readonly key: readonly string[];
  /** Namespace of the record, or the last known one of a deleted record; empty when it has none. */
  readonly namespace: string;
  /** When the written state was seen at its source. */
  readonly observedAt: Date;
  /** What changed; empty for kinds without a changelog. */
  readonly changes: readonly MessageInitShape<typeof ChangeSchema>[];
  /** The record after the write, serialized; absent when it was deleted. */
  readonly record?: { readonly schema: DescMessage; readonly bytes: Uint8Array } | undefined;
  /** Whether what is known of the record's past is to go too; default no. */
  readonly isForgotten?: boolean;
  /** Of an entry of the changelog: the identity of the record that it is about, where that is known. */
  readonly subjectKey?: readonly string[] | undefined;
}

/**
 * Gives every current record of these kinds, undefined meaning all, as entries without changes: kind by kind, those of a
 * kind by the members of their keys in the order of code points. What is written meanwhile may be given as it was or as
 * it is. Holds a page of them in memory, and no transaction.
 *
 * @param after of a single kind, gives what comes after this key; default all
 */
export type CurrentRecords = (
  kinds: readonly string[] | undefined,
  after?: readonly string[],
) => AsyncIterable<LogEntry>;

/**
 * The same with their past: what an export gives, in its order. Of what is a log itself it gives no more than
 * up to a place.
 */
export type RecordsWithPast = (
  kinds: readonly string[] | undefined,
  upTo: LogPosition,
) => AsyncIterable<LogEntry>;

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

const columns = [
  { name: "kind", type: "text" },
  { name: "key", type: "text[]" },
  { name: "namespace", type: "text" },
  { name: "observed_at", type: "timestamptz" },
  { name: "entry", type: "bytea" },
];

/**
 * Appends writes to `<schema>.change_log`, in the order given. The caller holds the schema's writer
 * lock (`lockWriters`), which makes the sequence increase in the order of commit.
 */
export async function appendToLog(
  tx: Transaction,
  schema: string,
  entries: readonly LogEntry[],
): Promise<void> {
  await bulkInsert(
    tx,
    { table: `${schema}.change_log`, columns },
    entries.map((entry) => ({
      kind: entry.kind,
      key: entry.key,
      namespace: entry.namespace,
      observed_at: entry.observedAt,
      entry: encodeEntry(entry),
    })),
  );
}
