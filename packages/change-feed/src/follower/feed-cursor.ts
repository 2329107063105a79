import type { Database, Queryable, Statement, Transaction } from "@storefront/database";
import type { ResynchronisationReason } from "./feed-metrics.ts";
import { beginningOfLog } from "../log/log-source.ts";
import type { LogPosition } from "../log/log-source.ts";

type Verb = "read" | "create" | "lock" | "advance";

/**
 * How far a consumer has applied a feed, in its own `<schema>.feed_cursor`:
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

  /** The last applied entry. */
  async read(): Promise<LogPosition> {
    await this.#database.write(this.#statements.create, [this.#feed]);
    const row = await this.#database.readOne<LogPosition>(this.#statements.read, [this.#feed]);
    return row ?? beginningOfLog;
  }

  /** The same, and no other process applies this feed here until the transaction ends. */
  async lock(tx: Transaction): Promise<LogPosition> {
    const row = await tx.readOne<LogPosition>(this.#statements.lock, [this.#feed]);
    return row ?? beginningOfLog;
  }

  /** Moves the cursor in the transaction of what was applied. */
  async advance(tx: Transaction, { sequence, identity }: LogPosition): Promise<void> {
    await tx.write(this.#statements.advance, [this.#feed, sequence, identity]);
  }
}

/** How far the records of a snapshot are applied. */
export interface SnapshotProgress {
  readonly reason: ResynchronisationReason;
  /** Of the log, where the snapshot was begun. */
  readonly position: LogPosition;
  /** Of the last record that is applied. */
  readonly kind: string;
  /** Of the same; empty before the first record of the kind. */
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
 * The snapshot of an owner that is under way, in the follower's own `<schema>.snapshot_progress`: one row at most for
 * each feed. It moves in the transactions of what it stands for, so that every process goes on where another one was.
 */
export class SnapshotProgressStore {
  readonly #table: string;
  readonly #feed: string;

  constructor(schema: string, feed: string) {
    this.#table = `${schema}.snapshot_progress`;
    this.#feed = feed;
  }

  /** Undefined when no snapshot is under way. */
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

  /** Notes how far it is; the first time, that it is under way. */
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

  /** Notes that none is under way any more. */
  async remove(tx: Transaction): Promise<void> {
    await tx.write(`delete from ${this.#table} where feed = $1`, [this.#feed]);
  }
}
