import { outsideCalls } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import { unavailable } from "@storefront/rpc";
import type { QueryVector } from "../../offer-search.ts";
import { untrainedSpace } from "../../index-documents.ts";
import type { NearQuery } from "../near/find-near.ts";
import { tablesOf } from "../tables.ts";
import { VectorThread } from "./vector-thread.ts";
import type { Failure } from "./vector-thread.ts";

/**
 * After a thread has failed, as for want of memory, until another one is tried, in milliseconds: each
 * reads the whole table again.
 */
const restMs = 10_000;

/** The vectors that were asked for last. */
export class VectorTables {
  readonly #database: Queryable;
  #held: VectorTable | undefined;

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
    looked: Omit<NearQuery, "vector">,
  ): Promise<Int32Array> {
    const held = this.#hold(tablesOf(generation).vectors[space.set], space.training);
    held.users += 1;
    try {
      return await held.nearest(this.#database, { vector, ...looked });
    } catch (error) {
      const { failure } = held;
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

  /** A set that is filled again is another one: what it held before does not count. */
  #hold(table: string, training: bigint): VectorTable {
    const before = this.#held;
    if (before?.table === table && before.training === training) {
      const { failure } = before;
      if (failure === undefined) return before;
      if (performance.now() - failure.atMs < restMs) throw unavailable("vectors", failure.error);
    }
    this.#held = new VectorTable(table, training);
    if (before !== undefined) this.#letGo(before);
    return this.#held;
  }

  /** Ends what another one has replaced once it is not in use. */
  #letGo(held: VectorTable): void {
    if (held !== this.#held && held.users === 0) held.close();
  }
}

/** Read at once: a page is on the service's thread for some milliseconds. */
const pageBytes = 1_000_000;
/** Of the first page, before it is known how large a vector is. */
const firstPageRows = 100;

/** The vectors of a generation in a thread of its own, read when they are first asked for. */
export class VectorTable {
  readonly table: string;
  readonly training: bigint;
  /** Searches that look at it. */
  users = 0;
  readonly #thread = new VectorThread();
  #pageRows = firstPageRows;
  #version = 0n;
  #refreshing: Promise<void> | undefined;

  constructor(table: string, training: bigint) {
    this.table = table;
    this.training = training;
  }

  /** Why it has stopped; undefined while it runs. */
  get failure(): Failure | undefined {
    return this.#thread.failure;
  }

  /** Numbers of the nearest offers, nearest first, by vectors that are a byte for each dimension. */
  async nearest(queryable: Queryable, { vector, limit, among }: NearQuery): Promise<Int32Array> {
    this.#refreshing ??= outsideCalls(() => this.#read(queryable)).finally(
      () => (this.#refreshing = undefined),
    );
    await this.#refreshing;
    return await this.#thread.nearest(vector, limit, among);
  }

  /** Gives back what it holds when it has answered. */
  close(): void {
    this.#thread.end();
  }

  /** Reads what was written since the last time, as long as there is a thread that takes it. */
  async #read(queryable: Queryable): Promise<void> {
    while (this.#thread.failure === undefined) {
      // By version alone, or there were no ties: a page ends with all of a version.
      const rows = await queryable.read<{ number: number; version: bigint; vector: Buffer | null }>(
        `select number, version, vector from ${this.table}
          where version > $1
          order by version
          fetch first ${this.#pageRows} rows with ties`,
        [this.#version],
      );
      this.#thread.set(rows);
      this.#version = rows.at(-1)?.version ?? this.#version;
      if (rows.length < this.#pageRows) return;
      const size = rows.find(({ vector }) => vector !== null)?.vector?.length;
      if (size !== undefined) this.#pageRows = Math.max(Math.floor(pageBytes / size), 1);
    }
  }
}
