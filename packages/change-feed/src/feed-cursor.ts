import type { Database, Statement, Transaction } from "@storefront/database";
import { beginningOfLog } from "./log/log-source.ts";
import type { LogPosition } from "./log/log-source.ts";

type Verb = "read" | "create" | "lock" | "advance";

/**
 * How far a consumer has applied a feed, in its own `<schema>.feed_cursor`:
 *
 *     create table feed_cursor (
 *       feed text primary key, sequence bigint not null, identity text, identity_sequence bigint);
 *
 * The identity is that of the entry at `identity_sequence`: release 0.2.0 moves the sequence alone.
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

  /** The same, and nobody else applies this feed here until the transaction ends. */
  async lock(tx: Transaction): Promise<LogPosition> {
    const row = await tx.readOne<LogPosition>(this.#statements.lock, [this.#feed]);
    return row ?? beginningOfLog;
  }

  /** Moves the cursor in the transaction of what was applied. */
  async advance(tx: Transaction, { sequence, identity }: LogPosition): Promise<void> {
    await tx.write(this.#statements.advance, [this.#feed, sequence, identity]);
  }
}
