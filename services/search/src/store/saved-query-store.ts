import type { Database } from "@storefront/database";

export interface StoredQuery {
  readonly id: string;
  /** Serialized. */
  readonly query: Uint8Array;
}

/** What became of several queries. */
export interface SavedQueries {
  /** Ids that were new. */
  readonly saved: Set<string>;
  /** What is stored now, by id. */
  readonly stored: ReadonlyMap<string, Uint8Array>;
}

/** How long a saved query is kept after its last use, in days. */
const keptDays = 90;

/** Rows read at a time by the export. */
const pageRows = 500;

/** Rows deleted by one statement, so that none holds many locks. */
const pruneRows = 1_000;

// The days of all processes, whatever their sessions say, with that of the column's default.
const today = "(now() at time zone 'utc')::date";
const isKept = `last_used_on > ${today} - ${keptDays}`;
const isExpired = `last_used_on <= ${today} - ${keptDays}`;

const saveMissing = `
  insert into search.saved_query (id, query)
  select * from unnest($1::text[], $2::bytea[])
  on conflict (id) do nothing returning id`;

/**
 * Keeps saved queries: storefront.search.v1.OfferQuery, canonical, by their id. To save, to read and to
 * import one is a use of it; 90 days after the last it is as if it had never been.
 */
export class SavedQueryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns whether it was not saved before. */
  async save(id: string, query: Uint8Array): Promise<boolean> {
    const { rows } = await this.#database.write<{ isNew: boolean }>(
      `with before as (select from search.saved_query where id = $1 and ${isKept}), saved as (
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
          where id = $1 and ${isKept}`,
      },
      [id],
    );
    if (row?.isNoted === false) await this.#noteUse(id);
    return row?.query;
  }

  /** Saves those whose ids are not known yet, in one transaction. */
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
        `select id, query from search.saved_query where id > $1 and ${isKept}
          order by id limit ${pageRows}`,
        [after],
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      after = last.id;
    }
  }

  /** Deletes some of those that have expired; tells whether there may be more. */
  async prune(): Promise<boolean> {
    const { rows } = await this.#database.write<{ id: string }>(
      `delete from search.saved_query where id = any(array(
          select id from search.saved_query where ${isExpired}
          limit ${pruneRows} for update skip locked))
        returning id`,
    );
    return rows.length === pruneRows;
  }

  // Once a day, so that a query that is read again and again is not written as often.
  async #noteUse(id: string): Promise<void> {
    await this.#database.write(
      `update search.saved_query set last_used_on = ${today} where id = $1 and last_used_on < ${today}`,
      [id],
    );
  }
}
