import { grown } from "./grown.ts";

// As many bytes as a double holds exactly.
const prefixLength = 6;

/** Ids of offers by number, as bytes: half a million strings would be half a million objects. */
export class OfferIds {
  #bytes = new Uint8Array();
  #used = 0;
  #starts = new Uint32Array();
  #lengths = new Uint32Array();
  /** The first bytes of each, which tell nearly all apart. */
  #prefixes = new Float64Array();

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.#bytes.length + 16 * this.#prefixes.length;
  }

  /** What a number stands for never changes. */
  add(number: number, offerId: string): void {
    this.#starts = grown(this.#starts, number + 1);
    this.#lengths = grown(this.#lengths, number + 1);
    this.#prefixes = grown(this.#prefixes, number + 1);
    if (this.#lengths[number] !== 0) return;
    const bytes = Buffer.from(offerId);
    this.#bytes = grown(this.#bytes, this.#used + bytes.length);
    this.#bytes.set(bytes, this.#used);
    this.#starts[number] = this.#used;
    this.#lengths[number] = bytes.length;
    this.#prefixes[number] = prefixOf(bytes);
    this.#used += bytes.length;
  }

  get(number: number): string {
    return Buffer.from(this.#bytesOf(number)).toString();
  }

  /** By code point. */
  compare(left: number, right: number): number {
    const byPrefix = (this.#prefixes[left] ?? 0) - (this.#prefixes[right] ?? 0);
    return byPrefix || Buffer.compare(this.#bytesOf(left), this.#bytesOf(right));
  }

  #bytesOf(number: number): Uint8Array {
    const start = this.#starts[number] ?? 0;
    return this.#bytes.subarray(start, start + (this.#lengths[number] ?? 0));
  }
}

function prefixOf(bytes: Uint8Array): number {
  let prefix = 0;
  for (let index = 0; index < prefixLength; index++) prefix = prefix * 256 + (bytes[index] ?? 0);
  return prefix;
}
