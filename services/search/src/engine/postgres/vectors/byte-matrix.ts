import { createDotProducts, dotStep, pageBytes } from "./dot-products.ts";

/** Rows that are multiplied at once, and allocated together. */
export const blockRows = 4_096;

/** Rows of bytes, -127 to 127, that are multiplied with others of their length. At most 4 GiB. */
export class ByteMatrix {
  readonly #dimensions: number;
  readonly #products = createDotProducts();
  /** Where the sums and the rows begin; the query is at 0. */
  readonly #sumsAt: number;
  readonly #rowsAt: number;

  constructor(dimensions: number) {
    this.#dimensions = Math.ceil(dimensions / dotStep) * dotStep;
    this.#sumsAt = this.#dimensions * 2;
    this.#rowsAt = this.#sumsAt + blockRows * 4;
  }

  /**
   * Makes room for a row.
   *
   * @throws RangeError when there is none.
   */
  reserve(row: number): void {
    const rows = (Math.floor(row / blockRows) + 1) * blockRows;
    const missing =
      this.#rowsAt + rows * this.#dimensions - this.#products.memory.buffer.byteLength;
    if (missing > 0) this.#products.memory.grow(Math.ceil(missing / pageBytes));
  }

  /** The bytes of a row, to be written, until the next one is reserved. */
  row(row: number): Int8Array {
    const start = this.#rowsAt + row * this.#dimensions;
    return new Int8Array(this.#products.memory.buffer, start, this.#dimensions);
  }

  /** What {@link sums} multiplies with. */
  ask(query: Int8Array): void {
    new Int16Array(this.#products.memory.buffer, 0, this.#dimensions).fill(0).set(query);
  }

  /** The dot products of at most {@link blockRows} rows with the query, until it is called again. */
  sums(from: number, to: number): Int32Array {
    const start = this.#rowsAt + from * this.#dimensions;
    const end = this.#rowsAt + to * this.#dimensions;
    this.#products.multiply(start, end, this.#dimensions, 0, this.#sumsAt);
    return new Int32Array(this.#products.memory.buffer, this.#sumsAt, to - from);
  }
}
