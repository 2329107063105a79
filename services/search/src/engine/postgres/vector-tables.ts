import type { Queryable } from "@storefront/database";
import { unavailable } from "@storefront/rpc";
import { untrainedSpace } from "../vector-space.ts";
import type { QueryVector } from "../offer-search.ts";
import { tablesOf } from "./tables.ts";
import { VectorTable } from "./vector-table.ts";

/**
 * After a thread has failed, as for want of memory, until another one is tried, in milliseconds: each
 * reads the whole table again.
 */
const restMs = 10_000;

interface HeldTable {
  /** Whose vectors. A set that is filled again is another one: what it held before does not count. */
  readonly key: string;
  readonly table: VectorTable;
  /** Searches that look at it. */
  users: number;
}

/** The vectors that were asked for last. */
export class VectorTables {
  readonly #database: Queryable;
  #held: HeldTable | undefined;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * As {@link VectorTable.nearest}, by the vectors of a generation as they are stored now.
   *
   * @throws ServiceError UNAVAILABLE when the thread that holds them fails, and for some seconds after it.
   */
  async nearest(
    generation: number,
    { vector, space = untrainedSpace }: QueryVector,
    looked: { limit: number; among: Int32Array | undefined },
  ): Promise<Int32Array> {
    const key = `${generation} ${space.set} ${space.training}`;
    const held = this.#hold(key, () => new VectorTable(tablesOf(generation).vectors[space.set]));
    held.users += 1;
    try {
      return await held.table.nearest(this.#database, { vector, ...looked });
    } catch (error) {
      const { failure } = held.table;
      throw failure === undefined ? error : unavailable("vectors", failure.error);
    } finally {
      held.users -= 1;
      this.#letGo(held);
    }
  }

  close(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#letGo(held);
  }

  #hold(key: string, open: () => VectorTable): HeldTable {
    const before = this.#held;
    if (before?.key === key) {
      const { failure } = before.table;
      if (failure === undefined) return before;
      if (performance.now() - failure.atMs < restMs) throw unavailable("vectors", failure.error);
    }
    this.#held = { key, table: open(), users: 0 };
    if (before !== undefined) this.#letGo(before);
    return this.#held;
  }

  /** Ends what another one has replaced once nobody looks at it. */
  #letGo(held: HeldTable): void {
    if (held !== this.#held && held.users === 0) held.table.close();
  }
}
