import { outsideCalls } from "@storefront/call-scope";
import type { Queryable } from "@storefront/database";
import { VectorThread } from "./vector-thread.ts";
import type { Failure } from "./vector-thread.ts";

/** Read at once: a page is on the service's thread for some milliseconds. */
const pageBytes = 1_000_000;
/** Of the first page, before it is known how large a vector is. */
const firstPageRows = 100;

/** The vectors of a generation in a thread of its own, read when they are first asked for. */
export class VectorTable {
  readonly #table: string;
  readonly #thread = new VectorThread();
  #pageRows = firstPageRows;
  #version = 0n;
  #refreshing: Promise<void> | undefined;

  constructor(table: string) {
    this.#table = table;
  }

  /** Why it cannot answer any more; undefined while it can. */
  get failure(): Failure | undefined {
    return this.#thread.failure;
  }

  /** Numbers of the nearest offers, nearest first, by vectors that are a byte for each dimension. */
  async nearest(
    queryable: Queryable,
    {
      vector,
      limit,
      among,
    }: { vector: Float32Array; limit: number; among?: Int32Array | undefined },
  ): Promise<Int32Array> {
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
        `select number, version, vector from ${this.#table}
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
