import type { Queryable } from "@storefront/database";
import { untrainedSpace } from "../vector-space.ts";
import type { VectorSpace } from "../vector-space.ts";
import { tablesOf } from "./tables.ts";
import { VectorTable } from "./vector-table.ts";

/** The vectors that were asked for last. */
export class VectorTables {
  readonly #database: Queryable;
  /** Whose they are. A set that is filled again is another one: what it held before does not count. */
  #key: string | undefined;
  #table: VectorTable | undefined;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Those of a generation, as they are stored now. */
  async of(generation: number, space: VectorSpace = untrainedSpace): Promise<VectorTable> {
    const key = `${generation} ${space.set} ${space.training}`;
    if (this.#table === undefined || this.#key !== key) {
      this.#table = new VectorTable(tablesOf(generation).vectors[space.set]);
      this.#key = key;
    }
    const table = this.#table;
    await table.refresh(this.#database);
    return table;
  }
}
