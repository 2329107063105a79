import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { ChangeSchema } from "@storefront/contracts/type/v1/change";
import type { LogPosition } from "./log-position.ts";

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
