import type { Queryable } from "@storefront/database";
import { IndexColumns } from "./index-columns.ts";

/** Generations whose columns are held: the one that answers, and one that is to. */
const maxHeld = 2;

/** The columns of the generations that were asked for last. */
export class ColumnsOfGenerations {
  readonly #queryable: Queryable;
  readonly #held = new Map<number, IndexColumns>();

  constructor(queryable: Queryable) {
    this.#queryable = queryable;
  }

  /** Those of a generation, which are read when they are asked for. */
  of(generation: number): IndexColumns {
    const columns = this.#held.get(generation) ?? new IndexColumns(this.#queryable, generation);
    this.#held.delete(generation);
    this.#held.set(generation, columns);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size > maxHeld) this.#held.delete(oldest);
    }
    return columns;
  }

  /** Forgets a generation that is gone. */
  forget(generation: number): void {
    this.#held.delete(generation);
  }
}
