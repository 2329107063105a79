import { grown } from "../columns/grown.ts";
import { PackedLists } from "../columns/packed-lists.ts";

/** As much of a title as ranking tells apart. */
const maxLength = 999;

/** Titles, folded, by slot, as bytes. */
export class TitleKeys {
  readonly #keys = new PackedLists(new Uint8Array());
  /** In characters. */
  #lengths = new Uint16Array();

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.#keys.sizeBytes + this.#lengths.byteLength;
  }

  set(slot: number, key: string): void {
    this.#keys.set(slot, Buffer.from(key));
    this.#lengths = grown(this.#lengths, slot + 1);
    this.#lengths[slot] = Math.min(maxLength, Array.from(key).length);
  }

  /** In characters, at most 999. */
  lengthOf(slot: number): number {
    return this.#lengths[slot] as number;
  }

  is(slot: number, key: Uint8Array): boolean {
    return this.#keys.lengths[slot] === key.length && this.beginsWith(slot, key);
  }

  beginsWith(slot: number, key: Uint8Array): boolean {
    const { starts, lengths, values } = this.#keys;
    if ((lengths[slot] as number) < key.length) return false;
    const start = starts[slot] as number;
    for (let at = 0; at < key.length; at++) if (values[start + at] !== key[at]) return false;
    return true;
  }
}
