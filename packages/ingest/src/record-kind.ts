import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { Column, Transaction } from "@storefront/database";
import type { FieldViolation } from "@storefront/rpc";
import type { Summary } from "./diff/changes-between.ts";

// The path of a line with a record from its importer to its row:
//
//   stream/ingest-handler      one request is one batch; the next is read when it is committed
//   apply/apply-batch          checks each observation, locks the schema's writers, one transaction
//     apply/compiled-kind      properties derived from a kind, as defined below
//     apply/load-key-states    stored states of the batch's keys, by one statement for each kind
//     apply/apply-observation  pure: written, unchanged, stale or rejected, and the changes
//     apply/store-key-states   rows, times and tombstones, by one statement for each table (bulkUpsert)
//     appendToLog              the writes' entries of the change log, in the same transaction

/** A typed column that queries need besides the serialized record. */
export interface RecordColumn<Record> extends Column {
  /** The column's value for a record; undefined is null. */
  value(record: Record): unknown;
}

/** A write that changed something, after its row was stored. */
export interface WrittenState<Record = Message> {
  readonly key: readonly string[];
  readonly observedAt: Date;
  /** Whether the record was unknown before, without even a deletion. */
  readonly isFirst: boolean;
  /** The state with its serialized form; absent when the record was deleted. */
  readonly after?: { readonly record: Record; readonly bytes: Uint8Array } | undefined;
}

/** The write of an observation before it is checked. */
export interface ProposedWrite<Record = Message> {
  readonly key: readonly string[];
  /** Undefined for a deletion. */
  readonly record: Record | undefined;
}

/** Rules for writes that depend on other records. */
export interface Constraint<Record = Message> {
  /** The rule that the write breaks; undefined if none. */
  check(write: ProposedWrite<Record>): FieldViolation | undefined;
}

/**
 * A kind of record: its storage, and its checks beyond the rules of the contract. The contract also has its
 * identity members, all strings, whose names are the key columns, and the lists that are compared as
 * sets. Its table has the key columns, `record bytea`, `observed_at timestamptz` and
 * `columns`; its primary key is the key columns, or `key_digest`. Its schema has the tables `sighting`
 * and `sighting_start`, with later times than `observed_at`.
 *
 * Functions are declared as methods, so that a list of kinds can have kinds of different records.
 */
export interface RecordKind<Desc extends DescMessage = DescMessage> {
  /** Name in the import format, which is the case of the observation's `record` too. */
  readonly name: string;
  readonly schema: Desc;
  /** Table with its schema, such as `catalog.offer`. */
  readonly table: string;
  /**
   * Whether the table's primary key is a column `key_digest bytea`, filled with SHA-256 of the
   * identity. For identities of more than two members, which may not fit into an index; default no.
   */
  readonly hasKeyDigest?: boolean;
  /**
   * Local name of the common identity member of records that are mostly seen again together; it has a few
   * dozen values at most; default the first.
   */
  readonly sightingGroup?: string;
  readonly columns: readonly RecordColumn<MessageShape<Desc>>[];
  /** Namespace that the record belongs to, for the change log; default none. */
  namespace?(record: MessageShape<Desc>): string | undefined;
  /** Rules that the contract cannot express; checked after its own. */
  validate?(record: MessageShape<Desc>): readonly FieldViolation[];
  /**
   * Rules that depend on other records, for the writes of a batch. Called in its transaction, under the writers' lock.
   * Restored states are not checked: an export is consistent as a whole.
   */
  constraint?(
    tx: Transaction,
    writes: readonly ProposedWrite<MessageShape<Desc>>[],
  ): Promise<Constraint<MessageShape<Desc>>>;
  /**
   * Whether constraints read this kind: then each observation is stored before the next one of the batch is checked.
   * For kinds of few records; default no.
   */
  readonly isConstraining?: boolean;
  /** The state to store for a valid observation; undefined when it means a deletion. */
  normalize?(record: MessageShape<Desc>): MessageShape<Desc> | undefined;
  /** The state to store over a stored one, for kinds whose observations do not change absent members. */
  merge?(stored: MessageShape<Desc>, record: MessageShape<Desc>): MessageShape<Desc>;
  /** Present when the kind has a changelog: the known members for the entries of its first sight and deletion. */
  summary?(record: MessageShape<Desc>): Summary;
  /** Called in the transaction of a batch, after its rows, with its writes in order. */
  onWritten?(tx: Transaction, writes: readonly WrittenState<MessageShape<Desc>>[]): Promise<void>;
  /** Called in the transaction that forgets a record, to remove the past that the kind stores. */
  onForgotten?(tx: Transaction, key: readonly string[]): Promise<void>;
}
