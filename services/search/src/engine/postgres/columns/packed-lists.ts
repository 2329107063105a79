import { grown } from "./grown.ts";

/** Lists by number, one after the other in one array: as many arrays would be as many objects. */
export class PackedLists<Values extends Uint8Array | Int32Array> {
  /** Where a list begins in `values`. */
  starts = new Uint32Array();
  lengths = new Uint32Array();
  values: Values;
  #used = 0;
  #live = 0;

  constructor(empty: Values) {
    this.values = empty;
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.starts.byteLength + this.lengths.byteLength + this.values.byteLength;
  }

  set(number: number, list: ArrayLike<number>): void {
    this.starts = grown(this.starts, number + 1);
    this.lengths = grown(this.lengths, number + 1);
    const length = this.lengths[number] ?? 0;
    this.#live += list.length - length;
    if (list.length > length) {
      this.#makeRoom(number, list.length);
      this.starts[number] = this.#used;
      this.#used += list.length;
    }
    this.lengths[number] = list.length;
    this.values.set(list, this.starts[number]);
  }

  #makeRoom(number: number, length: number): void {
    // Its own place is given up; it may be overwritten from here on.
    this.lengths[number] = 0;
    if (this.#used + length <= this.values.length) return;
    if (this.#used > 2 * (this.#live + length)) this.#compact();
    this.values = grown(this.values, this.#used + length);
  }

  /** Leaves out what lists have left behind that became longer. */
  #compact(): void {
    const before = this.values.slice();
    this.#used = 0;
    for (let number = 0; number < this.starts.length; number++) {
      const start = this.starts[number] ?? 0;
      const length = this.lengths[number] ?? 0;
      this.values.set(before.subarray(start, start + length), this.#used);
      this.starts[number] = this.#used;
      this.#used += length;
    }
  }
}
