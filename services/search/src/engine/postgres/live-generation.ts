import type { Database } from "@storefront/database";
import { unavailable } from "@storefront/rpc";

/** SQLSTATE of a table that does not exist. */
const undefinedTable = "42P01";

/** Which generation answers, remembered until its tables turn out to be gone. */
export class LiveGeneration {
  readonly #database: Database;
  #known: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** As it is stored now. */
  async read(): Promise<number | undefined> {
    const row = await this.#database.readOne<{ generation: number }>(
      "select generation from search.live_generation",
    );
    this.#known = row?.generation;
    return this.#known;
  }

  async activate(generation: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.write("delete from search.live_generation");
      await tx.write("insert into search.live_generation (generation) values ($1)", [generation]);
    });
    this.#known = generation;
  }

  /**
   * Asks the live generation. When another process has put a newer one in its place meanwhile and
   * dropped it, the newer one is asked.
   */
  async ask<Answer>(work: (generation: number) => Promise<Answer>): Promise<Answer> {
    const known = this.#known ?? (await this.read());
    if (known === undefined) throw unavailable("search index", new Error("no generation yet"));
    try {
      return await work(known);
    } catch (error) {
      if (!isUndefinedTable(error)) throw error;
      const newer = await this.read();
      if (newer === undefined || newer === known) throw error;
      return await work(newer);
    }
  }
}

function isUndefinedTable(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === undefinedTable;
}
