import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Queryable, Transaction } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";

/** An entry that could not be applied and was passed over. */
export interface QuarantinedEntry {
  readonly entry: FeedEntry;
  /** What it failed with last. */
  readonly error: string;
  readonly firstFailedAt: Date;
  /** Sequence of a later write of the same record that was applied; undefined when there is none. */
  readonly supersededBy: bigint | undefined;
}

interface Row {
  entry: Uint8Array;
  error: string;
  first_failed_at: Date;
  superseded_by: bigint | null;
}

/** More than this is no matter of an entry any more, but of who applies them. */
export const maxQuarantined = 1_000;

/** Entries of a feed that could not be applied, in the follower's own `<schema>.quarantined_entry`. */
export class Quarantine {
  readonly #table: string;
  readonly #feed: string;
  #size = 0;

  constructor(schema: string, feed: string) {
    this.#table = `${schema}.quarantined_entry`;
    this.#feed = feed;
  }

  /** How many there are, as this process knows. */
  get size(): number {
    return this.#size;
  }

  /** Learns how many there are. */
  async count(queryable: Queryable): Promise<void> {
    const row = await queryable.readOne<{ size: number }>(
      `select count(*)::int4 as size from ${this.#table} where feed = $1`,
      [this.#feed],
    );
    this.#size = row?.size ?? 0;
  }

  /** Puts an entry away, in the transaction that passes it over. */
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

  /**
   * Notes that these records are as they were at a sequence, or later, so that writes up to there are known to be older.
   */
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

  /** Removes the entries of these records, in the transaction that applies their present state. */
  async forget(tx: Transaction, records: readonly Pick<FeedEntry, "kind" | "key">[]) {
    if (this.#size === 0) return;
    await tx.write(
      `delete from ${this.#table} as held
        where held.feed = $1 and to_jsonb(array_prepend(held.kind, held.key)) = any($2::text[]::jsonb[])`,
      [this.#feed, records.map(({ kind, key }) => JSON.stringify([kind, ...key]))],
    );
    await this.count(tx);
  }

  /** Notes that all records are as they are after a sequence, or later. */
  async supersedeAll(tx: Transaction, sequence: bigint): Promise<void> {
    await tx.write(
      `update ${this.#table} set superseded_by = $2 where feed = $1 and superseded_by is null`,
      [this.#feed, sequence],
    );
  }

  /** Those that were put away first; locked in a transaction. */
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

  /** Whether an entry is still there, and whether a later write was applied; for its retry. */
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

  /** Takes an entry out, in the transaction that applies it. */
  async remove(tx: Transaction, { sequence, identity }: FeedEntry): Promise<void> {
    await tx.write(
      `delete from ${this.#table} where feed = $1 and sequence = $2 and identity = $3`,
      [this.#feed, sequence, identity],
    );
    await this.count(tx);
  }
}

function errorText(error: unknown): string {
  // PostgreSQL's text holds no NUL, which a message may quote.
  return String(error).replaceAll("\0", "").slice(0, 2_000);
}

/**
 * SQLSTATE classes that speak of the values of a statement: cardinality, data, integrity, and limits such as
 * that of an index's entry. Any other class speaks of the server, its locks or its schema.
 */
const valueClasses = new Set(["21", "22", "23", "54"]);

/** Codes of calls that say the same however often they are tried. */
const refusals = new Set([Code.InvalidArgument, Code.OutOfRange, Code.FailedPrecondition]);

/** What JavaScript, and code that meets a record it cannot read, throws. */
const plainErrors = new Set(["Error", "TypeError", "RangeError", "SyntaxError"]);

/**
 * Whether an error of applying entries is that of an entry, and comes again however often it is tried. In
 * doubt it is not: an entry is then tried for ever, which loses nothing. So it is while a database or
 * an engine is away, overloaded, locked, or not migrated yet.
 */
export function isEntryFailure(error: unknown): boolean {
  if (error instanceof ServiceError) return refusals.has(error.code);
  if (!(error instanceof Error)) return false;
  if ("code" in error) {
    const isSqlState = typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code);
    return isSqlState && "severity" in error && valueClasses.has(String(error.code).slice(0, 2));
  }
  // What another error is the cause of, such as a failed fetch, is as passing as that one.
  return plainErrors.has(error.name) && (error.cause === undefined || isEntryFailure(error.cause));
}
