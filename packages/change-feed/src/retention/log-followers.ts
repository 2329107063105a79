import type { Database, Statement } from "@storefront/database";

/** A follower's acknowledged position. */
export interface LogFollower {
  readonly name: string;
  /** Everything up to here is applied and committed. */
  readonly sequence: bigint;
  readonly acknowledgedAt: Date;
}

/**
 * The followers of a log, in `<schema>.log_follower`:
 *
 *     create table log_follower (
 *       name text primary key, sequence bigint not null, acknowledged_at timestamptz not null);
 */
export class LogFollowers {
  readonly #database: Database;
  readonly #acknowledge: Statement;
  readonly #list: Statement;

  constructor(database: Database, schema: string) {
    const table = `${schema}.log_follower`;
    this.#database = database;
    // Not the greatest: a follower of a restored log goes back.
    this.#acknowledge = `
      insert into ${table} (name, sequence, acknowledged_at) values ($1, $2, now())
      on conflict (name) do update
      set sequence = excluded.sequence, acknowledged_at = excluded.acknowledged_at`;
    this.#list = `select name, sequence, acknowledged_at from ${table} order by name collate "C"`;
  }

  async acknowledge(name: string, sequence: bigint): Promise<void> {
    await this.#database.write(this.#acknowledge, [name, sequence]);
  }

  /** All followers that ever acknowledged, by name. */
  async list(): Promise<LogFollower[]> {
    const rows = await this.#database.read<Row>(this.#list);
    return rows.map(({ name, sequence, acknowledged_at }) => ({
      name,
      sequence,
      acknowledgedAt: acknowledged_at,
    }));
  }
}

interface Row {
  name: string;
  sequence: bigint;
  acknowledged_at: Date;
}
