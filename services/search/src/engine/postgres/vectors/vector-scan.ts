import { blockRows, ByteMatrix } from "./dot-products.ts";
import { grown } from "../columns/packed-lists.ts";

const maxByte = 127;

/**
 * Vectors of one length by number, with a byte for each dimension: the nearest by these have those
 * that are nearest in fact among their first. Half a million of 128 dimensions take 70 MB, of 1,536
 * dimensions 775 MB.
 */
export class VectorScan {
  /** Known from the first vector on. */
  #dimensions = 0;
  #matrix: ByteMatrix | undefined;
  #rowCount = 0;
  /** What a unit of each row's bytes is worth; no number for a vector that is gone. */
  #scales = new Float32Array(blockRows);
  #numbers = new Int32Array(blockRows);
  /** By number, for numbers are counted up: 0 for none, otherwise one more than its row. */
  #places = new Int32Array(blockRows);

  /** Takes a vector in place of any other of this number; without one, forgets what it has. */
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
   * Numbers of the vectors nearest to another one, nearest first.
   *
   * @param among the numbers that are looked at; default all.
   */
  nearest(vector: Float32Array, limit: number, among?: Int32Array): Int32Array<ArrayBuffer> {
    const best = new BestNumbers(limit);
    const matrix = this.#matrix;
    if (matrix === undefined || vector.length !== this.#dimensions) return best.inOrder();
    const query = new Int8Array(vector.length);
    quantise(vector, scaleOf(vector), query);
    matrix.ask(query);
    if (among === undefined) {
      for (let row = 0; row < this.#rowCount; row += blockRows) {
        this.#look(matrix, row, Math.min(row + blockRows, this.#rowCount), best);
      }
    } else {
      for (const number of among) {
        const row = this.#rowOf(number);
        if (row !== undefined) this.#look(matrix, row, row + 1, best);
      }
    }
    return best.inOrder();
  }

  #look(matrix: ByteMatrix, from: number, to: number, best: BestNumbers): void {
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

/** What one of 127 steps to the largest value is worth; 0 of a vector without any. */
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

/** Keeps the numbers with the highest scores, of any number that are offered. */
class BestNumbers {
  readonly #limit: number;
  /** Sorted now and then: what is not better than the last of the best is never kept. */
  readonly #best: { number: number; score: number }[] = [];
  #floor = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A score that is no number is passed over. */
  offer(number: number, score: number): void {
    if (!(score > this.#floor)) return;
    this.#best.push({ number, score });
    if (this.#best.length >= this.#limit * 2) this.#cut();
  }

  /** Best first; of equal ones the lower number. */
  inOrder(): Int32Array<ArrayBuffer> {
    this.#cut();
    return Int32Array.from(this.#best, ({ number }) => number);
  }

  #cut(): void {
    this.#best.sort((a, b) => b.score - a.score || a.number - b.number);
    this.#best.length = Math.min(this.#best.length, this.#limit);
    if (this.#best.length === this.#limit) this.#floor = this.#best.at(-1)?.score ?? -Infinity;
  }
}
