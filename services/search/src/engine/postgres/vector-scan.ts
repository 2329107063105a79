import { BestNumbers } from "./best-numbers.ts";
import { blockRows, ByteMatrix } from "./byte-matrix.ts";

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
    this.#numbers = withRoom(this.#numbers, row);
    this.#scales = withRoom(this.#scales, row);
    this.#places = withRoom(this.#places, number);
    this.#numbers[row] = number;
    this.#places[number] = row + 1;
    return row;
  }
}

/** The same, or a longer copy, in which there is a place. */
function withRoom<Values extends Int32Array | Float32Array>(values: Values, place: number): Values;
function withRoom(values: Int32Array | Float32Array, place: number): Int32Array | Float32Array {
  if (place < values.length) return values;
  const length = Math.max(place + 1, values.length * 2);
  const larger = values instanceof Int32Array ? new Int32Array(length) : new Float32Array(length);
  larger.set(values);
  return larger;
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
