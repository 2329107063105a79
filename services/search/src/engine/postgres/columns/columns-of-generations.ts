import type { Queryable } from "@storefront/database";
import { IndexColumns } from "./index-columns.ts";
import type { ColumnsAsked, SearchColumns } from "./index-columns.ts";
import { ReadWriteLock } from "./read-write-lock.ts";
import { RegionPrices } from "./region-prices.ts";
import type { WordColumns } from "../words/word-columns.ts";

/** The columns of the newest generation that has answered, and meanwhile of one that is to. */
export class ColumnsOfGenerations {
  readonly #queryable: Queryable;
  readonly #shared: { readonly prices: RegionPrices; readonly lock: ReadWriteLock };
  readonly #held = new Map<number, IndexColumns>();

  constructor(queryable: Queryable) {
    this.#queryable = queryable;
    const lock = new ReadWriteLock();
    this.#shared = { prices: new RegionPrices(queryable, lock), lock };
  }

  /** As {@link IndexColumns.read}, of a generation. */
  async read<Answer>(
    generation: number,
    asked: ColumnsAsked,
    use: (columns: SearchColumns) => Promise<Answer>,
  ): Promise<Answer> {
    const answer = await this.#of(generation).read(asked, use);
    // A newer one takes a higher number: those before it do not answer again.
    for (const older of this.#held.keys()) if (older < generation) this.#held.delete(older);
    return answer;
  }

  /** As {@link IndexColumns.words}, of a generation. */
  async words(generation: number, atLeast?: bigint): Promise<WordColumns | undefined> {
    return await this.#of(generation).words(atLeast);
  }

  /** Forgets a generation that is gone. */
  forget(generation: number): void {
    this.#held.delete(generation);
  }

  #of(generation: number): IndexColumns {
    const columns =
      this.#held.get(generation) ?? new IndexColumns(this.#queryable, generation, this.#shared);
    this.#held.set(generation, columns);
    return columns;
  }
}
