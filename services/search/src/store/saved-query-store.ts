import type { Database } from "@storefront/database";

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
}
