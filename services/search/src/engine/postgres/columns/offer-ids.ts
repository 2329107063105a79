import { grown } from "./grown.ts";
import { PackedLists } from "./packed-lists.ts";

// As many bytes as a double holds exactly.
const prefixLength = 6;

/** Ids of offers by number, as bytes: half a million strings would be half a million objects. */
export class OfferIds {
  readonly #ids = new PackedLists(new Uint8Array());
  /** The first bytes of each, which tell nearly all apart. */
  #prefixes = new Float64Array();

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.#ids.sizeBytes + this.#prefixes.byteLength;
  }

  /** What a number stands for never changes. */
  add(number: number, offerId: string): void {
    if (this.#bytesOf(number).length !== 0) return;
    const bytes = Buffer.from(offerId);
    this.#ids.set(number, bytes);
    this.#prefixes = grown(this.#prefixes, number + 1);
    this.#prefixes[number] = prefixOf(bytes);
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
    const { starts, lengths, values } = this.#ids;
    const start = starts[number] ?? 0;
    return values.subarray(start, start + (lengths[number] ?? 0));
  }
}

function prefixOf(bytes: Uint8Array): number {
  let prefix = 0;
  for (let index = 0; index < prefixLength; index++) prefix = prefix * 256 + (bytes[index] ?? 0);
  return prefix;
}
