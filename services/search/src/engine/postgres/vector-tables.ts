import type { Queryable } from "@storefront/database";
import { tablesOf } from "./tables.ts";
import { VectorTable } from "./vector-table.ts";

/** The vectors of the generation that was asked last. */
export class VectorTables {
  readonly #database: Queryable;
  #generation: number | undefined;
  #table: VectorTable | undefined;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Those of a generation, as they are stored now. */
  async of(generation: number): Promise<VectorTable> {
    if (this.#table === undefined || this.#generation !== generation) {
      this.#table = new VectorTable(tablesOf(generation).vector);
      this.#generation = generation;
    }
    const table = this.#table;
    await table.refresh(this.#database);
    return table;
  }
}
