import type { Transaction } from "@storefront/database";
import { createHash } from "node:crypto";

/** Which record: its kind and identity members. */
export interface RecordKey {
  readonly kind: string;
  readonly key: readonly string[];
}

/** Rows that are forgotten in one transaction. */
const forgottenRows = 10_000;

/**
 * The records that a snapshot had, while a follower is made to agree with it, in its own schema:
 *
 *     create table snapshot_key (feed text, digest bytea, primary key (feed, digest));
 */
export class SnapshotKeys {
  readonly #table: string;
  readonly #feed: string;

  constructor(schema: string, feed: string) {
    this.#table = `${schema}.snapshot_key`;
    this.#feed = feed;
  }

  /** Notes records. */
  async add(tx: Transaction, records: readonly RecordKey[]): Promise<void> {
    await tx.write(
      `insert into ${this.#table} (feed, digest)
        select $1, decode(digest, 'hex') from unnest($2::text[]) as given (digest)
        on conflict (feed, digest) do nothing`,
      [this.#feed, records.map(digestOf)],
    );
  }

  /** Those of these records that the snapshot did not have. */
  async absentOf(tx: Transaction, records: readonly RecordKey[]): Promise<RecordKey[]> {
    const rows = await tx.read<{ digest: string }>(
      `select digest from unnest($2::text[]) as wanted (digest)
        where exists (
          select from ${this.#table} as present
          where present.feed = $1 and present.digest = decode(wanted.digest, 'hex'))`,
      [this.#feed, records.map(digestOf)],
    );
    const present = new Set(rows.map(({ digest }) => digest));
    return records.filter((record) => !present.has(digestOf(record)));
  }

  /** Forgets some of what is noted; gives whether more may be left. */
  async forgetSome(tx: Transaction): Promise<boolean> {
    const { rowCount } = await tx.write(
      `delete from ${this.#table} where feed = $1 and digest in (
        select digest from ${this.#table} where feed = $1 limit ${forgottenRows})`,
      [this.#feed],
    );
    return rowCount === forgottenRows;
  }
}

/** A key may be longer than an entry of an index. */
function digestOf({ kind, key }: RecordKey): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, ...key]))
    .digest("hex");
}
