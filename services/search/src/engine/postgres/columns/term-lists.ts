import { grown } from "./grown.ts";

/** A list of numbered terms for each offer, one after the other in one array. */
export class TermLists {
  /** Where an offer's list begins in `terms`. */
  starts = new Uint32Array();
  /** How many an offer has. */
  lengths = new Uint32Array();
  terms = new Int32Array();
  /** Above every term that was ever there. */
  termsEnd = 0;
  #used = 0;
  #live = 0;

  /** Bytes that they take. */
  get sizeBytes(): number {
    return 4 * (this.starts.length + this.lengths.length + this.terms.length);
  }

  set(number: number, list: readonly number[]): void {
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
    this.terms.set(list, this.starts[number]);
    for (const term of list) if (term >= this.termsEnd) this.termsEnd = term + 1;
  }

  #makeRoom(number: number, length: number): void {
    // Its own place is given up; it may be overwritten from here on.
    this.lengths[number] = 0;
    if (this.#used + length <= this.terms.length) return;
    if (this.#used > 2 * (this.#live + length)) this.#compact();
    this.terms = grown(this.terms, this.#used + length);
  }

  /** Leaves out what lists have left behind that became longer. */
  #compact(): void {
    const compacted = new Int32Array(this.terms.length);
    let used = 0;
    for (let number = 0; number < this.starts.length; number++) {
      const start = this.starts[number] ?? 0;
      const length = this.lengths[number] ?? 0;
      compacted.set(this.terms.subarray(start, start + length), used);
      this.starts[number] = used;
      used += length;
    }
    this.terms = compacted;
    this.#used = used;
  }
}
