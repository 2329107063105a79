import type { Database } from "@storefront/database";

/** A saved query. */
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

/** Rows read at a time by the export. */
const pageRows = 500;

const saveMissing = `
  insert into search.saved_query (id, query)
  select * from unnest($1::text[], $2::bytea[])
  on conflict (id) do nothing returning id`;

/** Keeps saved queries: storefront.search.v1.OfferQuery, canonical, by their id. */
export class SavedQueryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(id: string, query: Uint8Array): Promise<void> {
    await this.#database.write(
      "insert into search.saved_query (id, query) values ($1, $2) on conflict (id) do nothing",
      [id, query],
    );
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    const row = await this.#database.readOne<{ query: Buffer }>(
      { name: "search.getQuery", text: "select query from search.saved_query where id = $1" },
      [id],
    );
    return row?.query;
  }

  /** Saves those whose ids are not known yet, in one transaction. */
  async saveAll(queries: readonly StoredQuery[]): Promise<SavedQueries> {
    if (queries.length === 0) return { saved: new Set(), stored: new Map() };
    const ids = queries.map(({ id }) => id);
    return await this.#database.transaction(async (tx) => {
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
        `select id, query from search.saved_query where id > $1 order by id limit ${pageRows}`,
        [after],
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      after = last.id;
    }
  }
}
