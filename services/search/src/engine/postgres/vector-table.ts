import { outsideCalls } from "@storefront/call-scope";
import type { Queryable } from "@storefront/database";
import { readVector } from "./vector-bytes.ts";

/** The vectors of a generation in memory: 50,000 of 256 dimensions take 50 MB and a few milliseconds. */
export class VectorTable {
  readonly #table: string;
  /** Known from the first vector on; all of a generation have the same. */
  #dimensions = 0;
  readonly #rowOf = new Map<number, number>();
  readonly #numbers: number[] = [];
  #matrix = new Float32Array();
  #version = 0n;
  #refreshing: Promise<void> | undefined;

  constructor(table: string) {
    this.#table = table;
  }

  /** Reads what was written since the last time. */
  refresh(queryable: Queryable): Promise<void> {
    this.#refreshing ??= outsideCalls(() => this.#read(queryable)).finally(
      () => (this.#refreshing = undefined),
    );
    return this.#refreshing;
  }

  /**
   * The nearest offers by number with their cosine, nearest first.
   *
   * @param among the offers that are looked at; default all.
   */
  nearest(
    vector: Float32Array,
    limit: number,
    among?: ReadonlySet<number>,
  ): { number: number; cosine: number }[] {
    const dimensions = this.#dimensions;
    const matrix = this.#matrix;
    const scored = this.#numbers.map((number, row) => {
      let cosine = 0;
      const start = row * dimensions;
      for (let index = 0; index < dimensions; index++) {
        cosine += (matrix[start + index] ?? 0) * (vector[index] ?? 0);
      }
      return { number, cosine };
    });
    return scored
      .filter(({ number, cosine }) => cosine > 0 && (among?.has(number) ?? true))
      .toSorted((a, b) => b.cosine - a.cosine || a.number - b.number)
      .slice(0, limit);
  }

  async #read(queryable: Queryable): Promise<void> {
    const pageSize = 2_000;
    for (;;) {
      const rows = await queryable.read<{ number: number; version: bigint; vector: Buffer | null }>(
        `select number, version, vector from ${this.#table}
          where version > $1
          order by version, number
          fetch first ${pageSize} rows with ties`,
        [this.#version],
      );
      for (const { number, vector } of rows) this.#set(number, vector);
      this.#version = rows.at(-1)?.version ?? this.#version;
      if (rows.length < pageSize) return;
    }
  }

  /** A vector that is gone leaves zeros, which are near nothing. */
  #set(number: number, bytes: Buffer | null): void {
    let row = this.#rowOf.get(number);
    if (row === undefined) {
      if (bytes === null) return;
      this.#dimensions ||= bytes.length / 4;
      row = this.#numbers.length;
      this.#rowOf.set(number, row);
      this.#numbers.push(number);
    }
    const end = (row + 1) * this.#dimensions;
    if (end > this.#matrix.length) {
      const larger = new Float32Array(Math.max(end, this.#matrix.length * 2));
      larger.set(this.#matrix);
      this.#matrix = larger;
    }
    const place = this.#matrix.subarray(end - this.#dimensions, end);
    if (bytes === null) place.fill(0);
    else readVector(bytes, place);
  }
}
