import { blockRows, ByteMatrix } from "./dot-products.ts";
import { grown } from "../columns/packed-lists.ts";

const maxByte = 127;

/**
 * Vectors of one length by number, one byte per dimension: their nearest include the exact nearest. Half a million of
 * 128 dimensions take 70 MB, of 1,536 dimensions 775 MB.
 */
export class VectorScan {
  /** Set by the first vector. */
  #dimensions = 0;
  #matrix: ByteMatrix | undefined;
  #rowCount = 0;
  /** Value of a unit of each row's bytes; NaN for a removed vector. */
  #scales = new Float32Array(blockRows);
  #numbers = new Int32Array(blockRows);
  /** By number, since numbers are dense: 0 for none, otherwise row + 1. */
  #places = new Int32Array(blockRows);

  /** Sets or removes the vector of a number. */
  set(number: number, vector: Float32Array | undefined): void {
    const known = this.#rowOf(number);
    if (vector === undefined) {
      if (known !== undefined) this.#scales[known] = Number.NaN;
      return;
    }
    if (this.#matrix === undefined) {
      this.#dimensions = vector.length;
      this.#matrix = new ByteMatrix(vector.length);
    }
    const row = known ?? this.#addRow(this.#matrix, number);
    const scale = scaleOf(vector);
    this.#scales[row] = scale;
    quantise(vector, scale, this.#matrix.row(row));
  }

  /**
   * Numbers of the nearest vectors, nearest first.
   *
   * @param among candidates; default all
   */
  nearest(vector: Float32Array, limit: number, among?: Int32Array): Int32Array<ArrayBuffer> {
    const best = new BestNumbers(limit);
    const matrix = this.#matrix;
    if (matrix === undefined || vector.length !== this.#dimensions) return best.sorted();
    const query = new Int8Array(vector.length);
    quantise(vector, scaleOf(vector), query);
    matrix.ask(query);
    if (among === undefined) {
      for (let row = 0; row < this.#rowCount; row += blockRows) {
        this.#scan(matrix, row, Math.min(row + blockRows, this.#rowCount), best);
      }
    } else {
      for (const number of among) {
        const row = this.#rowOf(number);
        if (row !== undefined) this.#scan(matrix, row, row + 1, best);
      }
    }
    return best.sorted();
  }

  #scan(matrix: ByteMatrix, from: number, to: number, best: BestNumbers): void {
    const sums = matrix.sums(from, to);
    for (let row = from; row < to; row++) {
      best.offer(
        this.#numbers[row] ?? 0,
        (sums[row - from] ?? 0) * (this.#scales[row] ?? Number.NaN),
      );
    }
  }

  #rowOf(number: number): number | undefined {
    const place = this.#places[number] ?? 0;
    return place === 0 ? undefined : place - 1;
  }

  #addRow(matrix: ByteMatrix, number: number): number {
    const row = this.#rowCount;
    matrix.reserve(row);
    this.#rowCount += 1;
    this.#numbers = grown(this.#numbers, row + 1);
    this.#scales = grown(this.#scales, row + 1);
    this.#places = grown(this.#places, number + 1);
    this.#numbers[row] = number;
    this.#places[number] = row + 1;
    return row;
  }
}

/** The largest absolute value divided by 127; 0 for a zero vector. */
function scaleOf(vector: Float32Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return largest / maxByte;
}

function quantise(vector: Float32Array, scale: number, bytes: Int8Array): void {
  for (const [index, value] of vector.entries()) {
    bytes[index] = scale === 0 ? 0 : Math.round(value / scale);
  }
}

/** Collects the numbers with the highest scores. */
class BestNumbers {
  readonly #limit: number;
  /** Sorted occasionally; scores below the floor are never added. */
  readonly #best: { number: number; score: number }[] = [];
  #floor = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Ignores NaN. */
  offer(number: number, score: number): void {
    if (!(score > this.#floor)) return;
    this.#best.push({ number, score });
    if (this.#best.length >= this.#limit * 2) this.#cut();
  }

  /** Best first; ties by lower number. */
  sorted(): Int32Array<ArrayBuffer> {
    this.#cut();
    return Int32Array.from(this.#best, ({ number }) => number);
  }

  #cut(): void {
    this.#best.sort((a, b) => b.score - a.score || a.number - b.number);
    this.#best.length = Math.min(this.#best.length, this.#limit);
    if (this.#best.length === this.#limit) this.#floor = this.#best.at(-1)?.score ?? -Infinity;
  }
}
