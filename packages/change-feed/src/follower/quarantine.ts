import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { sqlState } from "@storefront/database";
import type { Queryable, Transaction } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";

/** An entry that could not be applied and was skipped. */
export interface QuarantinedEntry {
  readonly entry: FeedEntry;
  /** The latest error. */
  readonly error: string;
  readonly firstFailedAt: Date;
  /** Sequence of a later applied write of the same record; undefined when there is none. */
  readonly supersededBy: bigint | undefined;
}

interface Row {
  entry: Uint8Array;
  error: string;
  first_failed_at: Date;
  superseded_by: bigint | null;
}

/** More failures than this point to the code or the database rather than to entries. */
export const maxQuarantined = 1_000;

/** Entries that could not be applied, in the follower's `<schema>.quarantined_entry`. */
export class Quarantine {
  readonly #table: string;
  readonly #feed: string;
  #size = 0;

  constructor(schema: string, feed: string) {
    this.#table = `${schema}.quarantined_entry`;
    this.#feed = feed;
  }

  /** Number of entries at the last count. */
  get size(): number {
    return this.#size;
  }

  async count(queryable: Queryable): Promise<void> {
    const row = await queryable.readOne<{ size: number }>(
      `select count(*)::int4 as size from ${this.#table} where feed = $1`,
      [this.#feed],
    );
    this.#size = row?.size ?? 0;
  }

  /** Quarantines an entry, in the transaction that skips it. */
  async add(tx: Transaction, entry: FeedEntry, error: unknown): Promise<void> {
    const { sequence, identity, kind, key } = entry;
    await tx.write(
      `insert into ${this.#table} (feed, sequence, identity, kind, key, entry, error)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (feed, sequence, identity) do update set error = excluded.error`,
      [
        this.#feed,
        sequence,
        identity,
        kind,
        key,
        toBinary(FeedEntrySchema, entry),
        errorText(error),
      ],
    );
    await this.count(tx);
  }

  /** Marks entries of these records up to their sequence as superseded. */
  async supersede(
    tx: Transaction,
    applied: readonly Pick<FeedEntry, "kind" | "key" | "sequence">[],
  ): Promise<void> {
    if (this.#size === 0) return;
    await this.count(tx);
    const records = applied.map(({ kind, key }) => JSON.stringify([kind, ...key]));
    await tx.write(
      `update ${this.#table} as held set superseded_by = written.sequence
        from unnest($2::text[], $3::int8[]) as written(record, sequence)
        where held.feed = $1 and held.superseded_by is null and held.sequence <= written.sequence
          and written.record::jsonb = to_jsonb(array_prepend(held.kind, held.key))`,
      [this.#feed, records, applied.map(({ sequence }) => sequence)],
    );
  }

  /** Removes the entries of these records, in the transaction that applies their current state. */
  async forget(tx: Transaction, records: readonly Pick<FeedEntry, "kind" | "key">[]) {
    if (this.#size === 0) return;
    await tx.write(
      `delete from ${this.#table} as held
        where held.feed = $1 and to_jsonb(array_prepend(held.kind, held.key)) = any($2::text[]::jsonb[])`,
      [this.#feed, records.map(({ kind, key }) => JSON.stringify([kind, ...key]))],
    );
    await this.count(tx);
  }

  /** Marks all entries as superseded at a sequence. */
  async supersedeAll(tx: Transaction, sequence: bigint): Promise<void> {
    await tx.write(
      `update ${this.#table} set superseded_by = $2 where feed = $1 and superseded_by is null`,
      [this.#feed, sequence],
    );
  }

  /** The oldest entries. */
  async list(queryable: Queryable, limit = maxQuarantined): Promise<QuarantinedEntry[]> {
    const rows = await queryable.read<Row>(
      `select entry, error, first_failed_at, superseded_by from ${this.#table}
        where feed = $1 order by sequence, identity limit $2`,
      [this.#feed, limit],
    );
    return rows.map((row) => ({
      entry: fromBinary(FeedEntrySchema, row.entry),
      error: row.error,
      firstFailedAt: row.first_failed_at,
      supersededBy: row.superseded_by ?? undefined,
    }));
  }

  /** Locks an entry for its retry; undefined when it was removed. */
  async find(
    tx: Transaction,
    { sequence, identity }: FeedEntry,
  ): Promise<{ isSuperseded: boolean } | undefined> {
    const row = await tx.readOne<{ is_superseded: boolean }>(
      `select superseded_by is not null as is_superseded from ${this.#table}
        where feed = $1 and sequence = $2 and identity = $3 for update`,
      [this.#feed, sequence, identity],
    );
    return row && { isSuperseded: row.is_superseded };
  }

  /** Removes an entry, in the transaction that applies it. */
  async remove(tx: Transaction, { sequence, identity }: FeedEntry): Promise<void> {
    await tx.write(
      `delete from ${this.#table} where feed = $1 and sequence = $2 and identity = $3`,
      [this.#feed, sequence, identity],
    );
    await this.count(tx);
  }
}

function errorText(error: unknown): string {
  // PostgreSQL's text cannot store NUL, which a message may contain.
  return String(error).replaceAll("\0", "").slice(0, 2_000);
}

/**
 * SQLSTATE classes about values: cardinality, data, integrity, and limits such as that of an index entry.
 * Other classes are about the server, locks or the schema.
 */
const valueClasses = new Set(["21", "22", "23", "54"]);

/** Codes of calls whose retry cannot succeed. */
const refusals = new Set([Code.InvalidArgument, Code.OutOfRange, Code.FailedPrecondition]);

/** Names of errors thrown by JavaScript, and by code that cannot read a record. */
const plainErrors = new Set(["Error", "TypeError", "RangeError", "SyntaxError"]);

/**
 * Whether an entry itself causes an error, so that a retry cannot succeed. In doubt false: retrying without limit loses
 * nothing. False for a database or engine that is unavailable, overloaded, locked, or not migrated.
 */
export function isEntryFailure(error: unknown): boolean {
  if (error instanceof ServiceError) return refusals.has(error.code);
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== undefined) return valueClasses.has(state.slice(0, 2));
  if ("code" in error) return false;
  // An error with a cause, such as a failed fetch, is as transient as its cause.
  return plainErrors.has(error.name) && (error.cause === undefined || isEntryFailure(error.cause));
}
