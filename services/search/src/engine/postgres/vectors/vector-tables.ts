import { outsideCalls } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import { unavailable } from "@storefront/rpc";
import type { QueryVector } from "../../offer-search.ts";
import { untrainedSpace } from "../../index-documents.ts";
import type { NearQuery } from "../near/find-near.ts";
import { tablesOf } from "../tables.ts";
import { VectorThread } from "./vector-thread.ts";
import type { Failure } from "./vector-thread.ts";

/** Pause after a thread failed, as for lack of memory, before another reads the whole table, in milliseconds. */
const pauseMs = 10_000;

/** The most recently used vectors. */
export class VectorTables {
  readonly #database: Queryable;
  #held: VectorTable | undefined;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * As {@link VectorTable.nearest}, by the stored vectors of a generation.
   *
   * @throws ServiceError UNAVAILABLE when the thread fails, and for some seconds after.
   */
  async nearest(
    generation: number,
    { vector, space = untrainedSpace }: QueryVector,
    options: Omit<NearQuery, "vector">,
  ): Promise<Int32Array> {
    const held = this.#tableOf(tablesOf(generation).vectors[space.set], space.training);
    held.users += 1;
    try {
      return await held.nearest(this.#database, { vector, ...options });
    } catch (error) {
      const { failure } = held;
      throw failure === undefined ? error : unavailable("vectors", failure.error);
    } finally {
      held.users -= 1;
      this.#free(held);
    }
  }

  close(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#free(held);
  }

  /** A refilled set is a different one: its old vectors do not count. */
  #tableOf(table: string, training: bigint): VectorTable {
    const before = this.#held;
    if (before?.table === table && before.training === training) {
      const { failure } = before;
      if (failure === undefined) return before;
      if (performance.now() - failure.atMs < pauseMs) throw unavailable("vectors", failure.error);
    }
    this.#held = new VectorTable(table, training);
    if (before !== undefined) this.#free(before);
    return this.#held;
  }

  /** Closes a replaced table once it is unused. */
  #free(held: VectorTable): void {
    if (held !== this.#held && held.users === 0) held.close();
  }
}

/** Page size: some milliseconds on the service's thread. */
const pageBytes = 1_000_000;
/** Size of the first page, before the size of a vector is known. */
const firstPageRows = 100;

/** The vectors of a generation in a worker thread, read at the first use. */
export class VectorTable {
  readonly table: string;
  readonly training: bigint;
  /** Searches in progress. */
  users = 0;
  readonly #thread = new VectorThread();
  #pageRows = firstPageRows;
  #version = 0n;
  #refreshing: Promise<void> | undefined;

  constructor(table: string, training: bigint) {
    this.table = table;
    this.training = training;
  }

  /** Undefined while the thread runs. */
  get failure(): Failure | undefined {
    return this.#thread.failure;
  }

  /** Numbers of the nearest offers, nearest first, by quantised vectors. */
  async nearest(queryable: Queryable, { vector, limit, among }: NearQuery): Promise<Int32Array> {
    this.#refreshing ??= outsideCalls(() => this.#read(queryable)).finally(
      () => (this.#refreshing = undefined),
    );
    await this.#refreshing;
    return await this.#thread.nearest(vector, limit, among);
  }

  /** Ends the thread after its current work. */
  close(): void {
    this.#thread.end();
  }

  /** Reads new writes, while the thread runs. */
  async #read(queryable: Queryable): Promise<void> {
    while (this.#thread.failure === undefined) {
      // By version only; with ties, a page has all rows of its last version.
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
