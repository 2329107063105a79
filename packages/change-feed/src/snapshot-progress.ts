import type { Queryable, Transaction } from "@storefront/database";
import type { LogPosition } from "./log/log-source.ts";
import type { ResynchronisationReason } from "./resynchronisation-reasons.ts";

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
