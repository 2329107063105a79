import { grown } from "../columns/grown.ts";

/** As much of a title as ranking tells apart. */
const maxLength = 999;

/** Titles, folded, by slot, as bytes. */
export class TitleKeys {
  #bytes = new Uint8Array();
  #used = 0;
  #live = 0;
  #starts = new Uint32Array();
  #sizes = new Uint32Array();
  /** In characters. */
  #lengths = new Uint16Array();

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.#bytes.length + 10 * this.#lengths.length;
  }

  set(slot: number, key: string): void {
    const bytes = Buffer.from(key);
    this.#starts = grown(this.#starts, slot + 1);
    this.#sizes = grown(this.#sizes, slot + 1);
    this.#lengths = grown(this.#lengths, slot + 1);
    this.#live += bytes.length - (this.#sizes[slot] as number);
    this.#sizes[slot] = 0;
    if (this.#used + bytes.length > this.#bytes.length) this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#used);
    this.#starts[slot] = this.#used;
    this.#sizes[slot] = bytes.length;
    this.#lengths[slot] = Math.min(maxLength, Array.from(key).length);
    this.#used += bytes.length;
  }

  /** In characters, at most 999. */
  lengthOf(slot: number): number {
    return this.#lengths[slot] as number;
  }

  is(slot: number, key: Uint8Array): boolean {
    return this.#sizes[slot] === key.length && this.beginsWith(slot, key);
  }

  beginsWith(slot: number, key: Uint8Array): boolean {
    if ((this.#sizes[slot] as number) < key.length) return false;
    const start = this.#starts[slot] as number;
    for (let at = 0; at < key.length; at++) {
      if (this.#bytes[start + at] !== key[at]) return false;
    }
    return true;
  }

  /** Leaves out what was replaced, if that is as much as is left. */
  #makeRoom(length: number): void {
    if (this.#used > 2 * (this.#live + length)) {
      const compacted = new Uint8Array(this.#bytes.length);
      let used = 0;
      for (let slot = 0; slot < this.#starts.length; slot++) {
        const start = this.#starts[slot] as number;
        const size = this.#sizes[slot] as number;
        compacted.set(this.#bytes.subarray(start, start + size), used);
        this.#starts[slot] = used;
        used += size;
      }
      this.#bytes = compacted;
      this.#used = used;
    }
    this.#bytes = grown(this.#bytes, this.#used + length);
  }
}
