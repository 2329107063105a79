import type { Database, Statement, Transaction } from "@storefront/database";

/**
 * How far a consumer has applied a feed, in its own `<schema>.feed_cursor`:
 *
 *     create table feed_cursor (feed text primary key, sequence bigint not null);
 */
export class FeedCursor {
  readonly #database: Database;
  readonly #feed: string;
  readonly #statements: Readonly<Record<"read" | "create" | "lock" | "advance", Statement>>;

  constructor(database: Database, schema: string, feed: string) {
    const table = `${schema}.feed_cursor`;
    this.#database = database;
    this.#feed = feed;
    this.#statements = {
      read: `select sequence from ${table} where feed = $1`,
      create: `insert into ${table} (feed, sequence) values ($1, 0) on conflict (feed) do nothing`,
      lock: `select sequence from ${table} where feed = $1 for update`,
      advance: {
        name: `${schema}.feedCursor.advance`,
        text: `update ${table} set sequence = $2 where feed = $1`,
      },
    };
  }

  /** The last applied sequence; 0 before the first. */
  async read(): Promise<bigint> {
    await this.#database.write(this.#statements.create, [this.#feed]);
    const row = await this.#database.readOne<{ sequence: bigint }>(this.#statements.read, [
      this.#feed,
    ]);
    return row?.sequence ?? 0n;
  }

  /** The same, and nobody else applies this feed here until the transaction ends. */
  async lock(tx: Transaction): Promise<bigint> {
    const row = await tx.readOne<{ sequence: bigint }>(this.#statements.lock, [this.#feed]);
    return row?.sequence ?? 0n;
  }

  /** Moves the cursor in the transaction of what was applied. */
  async advance(tx: Transaction, sequence: bigint): Promise<void> {
    await tx.write(this.#statements.advance, [this.#feed, sequence]);
  }
}
