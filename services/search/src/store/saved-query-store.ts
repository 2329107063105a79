import type { Database } from "@storefront/database";

export interface StoredQuery {
  readonly id: string;
  /** Serialized. */
  readonly query: Uint8Array;
}

interface SavedQueries {
  /** Ids that were new. */
  readonly saved: Set<string>;
  /** The stored queries, by id. */
  readonly stored: ReadonlyMap<string, Uint8Array>;
}

/** Days for which a saved query is stored after its last use. */
const storedDays = 90;

/** Rows per page of the export. */
const pageRows = 500;

/** Rows deleted by one statement, to limit its locks. */
const pruneRows = 1_000;

// The UTC day, independent of session settings, like the column's default.
const today = "(now() at time zone 'utc')::date";
const isStored = `last_used_on > ${today} - ${storedDays}`;
const isExpired = `last_used_on <= ${today} - ${storedDays}`;

const saveMissing = `
  insert into search.saved_query (id, query)
  select * from unnest($1::text[], $2::bytea[])
  on conflict (id) do nothing returning id`;

/**
 * Stores saved queries: canonical storefront.search.v1.OfferQuery messages by id. Saving, reading and importing count
 * as use; a query expires 90 days after the last one.
 */
export class SavedQueryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns whether it is new. */
  async save(id: string, query: Uint8Array): Promise<boolean> {
    const { rows } = await this.#database.write<{ isNew: boolean }>(
      `with before as (select from search.saved_query where id = $1 and ${isStored}), saved as (
          insert into search.saved_query as known (id, query) values ($1, $2)
          on conflict (id) do update set last_used_on = ${today} where known.last_used_on < ${today}
        )
        select not exists (select from before) as "isNew"`,
      [id, query],
    );
    return rows[0]?.isNew === true;
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    const row = await this.#database.readOne<{ query: Buffer; isNoted: boolean }>(
      {
        name: "search.getQuery",
        text: `select query, last_used_on >= ${today} as "isNoted" from search.saved_query
          where id = $1 and ${isStored}`,
      },
      [id],
    );
    if (row?.isNoted === false) await this.#noteUse(id);
    return row?.query;
  }

  /** Saves the queries with unknown ids, in one transaction. */
  async saveAll(queries: readonly StoredQuery[]): Promise<SavedQueries> {
    if (queries.length === 0) return { saved: new Set(), stored: new Map() };
    const ids = queries.map(({ id }) => id);
    return await this.#database.transaction(async (tx) => {
      await tx.write(`delete from search.saved_query where id = any($1::text[]) and ${isExpired}`, [
        ids,
      ]);
      await tx.write(
        `update search.saved_query set last_used_on = ${today}
          where id = any($1::text[]) and last_used_on < ${today}`,
        [ids],
      );
      const { rows: saved } = await tx.write<{ id: string }>(saveMissing, [
        ids,
        queries.map(({ query }) => query),
      ]);
      const stored = await tx.read<StoredQuery>(
        "select id, query from search.saved_query where id = any($1::text[])",
        [ids],
      );
      return {
        saved: new Set(saved.map(({ id }) => id)),
        stored: new Map(stored.map(({ id, query }) => [id, query])),
      };
    });
  }

  /** All of them by id, one page in memory at a time. */
  async *all(): AsyncGenerator<StoredQuery> {
    let after = "";
    for (;;) {
      const rows = await this.#database.read<StoredQuery>(
        `select id, query from search.saved_query where id > $1 and ${isStored}
          order by id limit ${pageRows}`,
        [after],
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      after = last.id;
    }
  }

  /** Deletes some expired queries; returns whether there may be more. */
  async prune(): Promise<boolean> {
    const { rows } = await this.#database.write<{ id: string }>(
      `delete from search.saved_query where id = any(array(
          select id from search.saved_query where ${isExpired}
          limit ${pruneRows} for update skip locked))
        returning id`,
    );
    return rows.length === pruneRows;
  }

  // Once a day, to limit writes for frequent reads.
  async #noteUse(id: string): Promise<void> {
    await this.#database.write(
      `update search.saved_query set last_used_on = ${today} where id = $1 and last_used_on < ${today}`,
      [id],
    );
  }
}
