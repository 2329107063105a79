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

/** A write that an owner service appends to its change log. */
export interface LogEntry {
  /** Kind of record as in the import format. */
  readonly kind: string;
  /** Identity members of the record, in their documented order. */
  readonly key: readonly string[];
  /** Namespace of the record, of a deleted record the last known; empty when it has none. */
  readonly namespace: string;
  /** When the written state was observed at its source. */
  readonly observedAt: Date;
  /** Empty for kinds without a changelog. */
  readonly changes: readonly MessageInitShape<typeof ChangeSchema>[];
  /** The serialized record after the write; absent when it was deleted. */
  readonly record?: { readonly schema: DescMessage; readonly bytes: Uint8Array } | undefined;
  /** Whether the record's past is deleted too; default no. */
  readonly isForgotten?: boolean;
  /** For changelog entries: the identity of the changed record, if known. */
  readonly subjectKey?: readonly string[] | undefined;
}

/**
 * Reads every current record of these kinds (undefined: all) as entries without changes: kind by kind, in the order of
 * the key members' code points. A concurrent write may be included or not. Has one page in memory and no transaction.
 *
 * @param after of a single kind: only records after this key; default all
 */
export type CurrentRecords = (
  kinds: readonly string[] | undefined,
  after?: readonly string[],
) => AsyncIterable<LogEntry>;

/** The same with past states, as in an export. Kinds that are logs themselves end at `upTo`. */
export type RecordsWithPast = (
  kinds: readonly string[] | undefined,
  upTo: LogPosition,
) => AsyncIterable<LogEntry>;

const fields = FeedEntrySchema.field;
/** Field numbers of google.protobuf.Any. */
const anyFields = { typeUrl: 1, value: 2 };

/**
 * A serialized FeedEntry without `sequence`, `committed_at` and `identity`, which the database assigns; see
 * {@link encodeCommitted}.
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
 * A serialized FeedEntry. Protobuf fields may be in any order, so the database's fields precede the undecoded
 * bytes of `encodeEntry`.
 *
 * @param committedUs time of commit, in microseconds since 1970
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
 * Appends writes to `<schema>.change_log`, in order. The caller holds the schema's writer lock
 * (`lockWriters`), so sequences increase in the order of commit.
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
