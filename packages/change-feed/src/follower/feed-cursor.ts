import type { Database, Queryable, Statement, Transaction } from "@storefront/database";
import type { ResynchronisationReason } from "./feed-metrics.ts";
import { beginningOfLog } from "../log/log-source.ts";
import type { LogPosition } from "../log/log-source.ts";

type Verb = "read" | "create" | "lock" | "advance";

/**
 * Progress of a consumer in a feed, in its own `<schema>.feed_cursor`:
 *
 *     create table feed_cursor (
 *       feed text primary key, sequence bigint not null, identity text, identity_sequence bigint);
 *
 * The identity is that of the entry at `identity_sequence`, for release 0.2.0, which moves the sequence alone.
 */
export class FeedCursor {
  readonly #database: Database;
  readonly #feed: string;
  readonly #statements: Readonly<Record<Verb, Statement>>;

  constructor(database: Database, schema: string, feed: string) {
    const table = `${schema}.feed_cursor`;
    const select = `
      select sequence, coalesce(case when identity_sequence = sequence then identity end, '') as identity
      from ${table} where feed = $1`;
    this.#database = database;
    this.#feed = feed;
    this.#statements = {
      read: select,
      create: `insert into ${table} (feed, sequence) values ($1, 0) on conflict (feed) do nothing`,
      lock: `${select} for update`,
      advance: {
        name: `${schema}.feedCursor.move`,
        text: `
          update ${table} set sequence = $2, identity = nullif($3, ''), identity_sequence = $2
          where feed = $1`,
      },
    };
  }

  async read(): Promise<LogPosition> {
    await this.#database.write(this.#statements.create, [this.#feed]);
    const row = await this.#database.readOne<LogPosition>(this.#statements.read, [this.#feed]);
    return row ?? beginningOfLog;
  }

  /** Reads the position and locks it: no other process applies this feed until the transaction ends. */
  async lock(tx: Transaction): Promise<LogPosition> {
    const row = await tx.readOne<LogPosition>(this.#statements.lock, [this.#feed]);
    return row ?? beginningOfLog;
  }

  async advance(tx: Transaction, { sequence, identity }: LogPosition): Promise<void> {
    await tx.write(this.#statements.advance, [this.#feed, sequence, identity]);
  }
}

/** Position within a snapshot. */
export interface SnapshotProgress {
  readonly reason: ResynchronisationReason;
  /** Position of the log when the snapshot began. */
  readonly position: LogPosition;
  /** Kind of the last applied record. */
  readonly kind: string;
  /** Key of the last applied record; empty before the first of the kind. */
  readonly key: readonly string[];
  /** Records applied so far. */
  readonly records: number;
}

interface Row {
  reason: ResynchronisationReason;
  sequence: bigint;
  identity: string;
  kind: string;
  key: string[];
  records: number;
}

/**
 * Progress of a snapshot in the follower's `<schema>.snapshot_progress`, at most one row per feed. It is
 * stored in the transaction that applies a page, so any process can resume it.
 */
export class SnapshotProgressStore {
  readonly #table: string;
  readonly #feed: string;

  constructor(schema: string, feed: string) {
    this.#table = `${schema}.snapshot_progress`;
    this.#feed = feed;
  }

  /** Undefined when no snapshot is in progress. */
  async find(queryable: Queryable): Promise<SnapshotProgress | undefined> {
    const row = await queryable.readOne<Row>(
      `select reason, sequence, identity, kind, key, records::float8 as records
        from ${this.#table} where feed = $1`,
      [this.#feed],
    );
    if (row === undefined) return undefined;
    const { sequence, identity, ...rest } = row;
    return { ...rest, position: { sequence, identity } };
  }

  async store(
    tx: Transaction,
    { reason, position, kind, key, records }: SnapshotProgress,
  ): Promise<void> {
    await tx.write(
      `insert into ${this.#table} (feed, reason, sequence, identity, kind, key, records)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (feed) do update set reason = excluded.reason, sequence = excluded.sequence,
          identity = excluded.identity, kind = excluded.kind, key = excluded.key, records = excluded.records`,
      [this.#feed, reason, position.sequence, position.identity, kind, key, records],
    );
  }

  /** Removes the progress of a complete snapshot. */
  async remove(tx: Transaction): Promise<void> {
    await tx.write(`delete from ${this.#table} where feed = $1`, [this.#feed]);
  }
}
