/** An entry of the log as an event of the stream. */
export interface EntryBlock {
  id: string;
  bytes: Buffer;
}

/** What follows a place, or a part of it. */
export interface RingStretch {
  /** Events, one after the other. */
  bytes: Buffer;
  /** The place after them. */
  place: number;
  /** The last entry of them. */
  id: string;
}

/** Entries that are sent with one write. */
interface Chunk {
  /** The place before its first entry. */
  start: number;
  ids: string[];
  /** Where each entry ends among the bytes. */
  ends: number[];
  bytes: Buffer;
}

// Larger ones would be written at once to clients that take them slowly.
const chunkMaxBytes = 256 * 1024;

/**
 * The newest entries of the log without a gap, as bytes that are sent to every client. A place is
 * the number of entries before it, counted since the ring was made.
 */
export class EntryRing {
  readonly #maxBytes: number;
  readonly #chunks: Chunk[] = [];
  /** The place after each entry, and the place after the last one that is gone. */
  readonly #places = new Map<string, number>();
  #sizeBytes = 0;
  #end = 0;
  #newestId: string;

  /**
   * @param startId the entry after which it begins; empty when there is none or it is not known
   * @param maxBytes the oldest entries go when there are more bytes; the newest stay in any case
   */
  constructor(startId: string, maxBytes: number) {
    this.#newestId = startId;
    this.#maxBytes = maxBytes;
    if (startId !== "") this.#places.set(startId, 0);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The place after the newest entry. */
  get end(): number {
    return this.#end;
  }

  /** The entry that the next one follows; empty while none is known. */
  get newestId(): string {
    return this.#newestId;
  }

  /** The place after an entry; undefined when the ring does not reach back to it, or not yet up to it. */
  placeAfter(id: string): number | undefined {
    return this.#places.get(id);
  }

  append(blocks: readonly EntryBlock[]): void {
    let chunk: EntryBlock[] = [];
    let chunkBytes = 0;
    for (const block of blocks) {
      chunk.push(block);
      chunkBytes += block.bytes.length;
      if (chunkBytes < chunkMaxBytes) continue;
      this.#appendChunk(chunk);
      chunk = [];
      chunkBytes = 0;
    }
    if (chunk.length > 0) this.#appendChunk(chunk);
    while (this.#sizeBytes > this.#maxBytes && this.#chunks.length > 1) this.#dropOldest();
  }

  /** What follows a place: undefined when nothing does, "gone" when it is no longer there. */
  read(place: number): RingStretch | "gone" | undefined {
    if (place >= this.#end) return undefined;
    const chunk = this.#chunks.findLast(({ start }) => start <= place);
    if (chunk === undefined) return "gone";
    const { start, ids, ends, bytes } = chunk;
    const from = place === start ? 0 : (ends[place - start - 1] ?? 0);
    return { bytes: bytes.subarray(from), place: start + ids.length, id: ids.at(-1) ?? "" };
  }

  #appendChunk(blocks: readonly EntryBlock[]): void {
    const bytes = Buffer.concat(blocks.map((block) => block.bytes));
    const chunk: Chunk = { start: this.#end, ids: [], ends: [], bytes };
    let sizeBytes = 0;
    for (const block of blocks) {
      sizeBytes += block.bytes.length;
      chunk.ids.push(block.id);
      chunk.ends.push(sizeBytes);
      this.#places.set(block.id, ++this.#end);
      this.#newestId = block.id;
    }
    this.#chunks.push(chunk);
    this.#sizeBytes += sizeBytes;
  }

  #dropOldest(): void {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return;
    this.#sizeBytes -= chunk.bytes.length;
    // After the last one begins what is left.
    const lastId = chunk.ids.at(-1);
    for (const id of this.#places.keys()) {
      if (id === lastId) break;
      this.#places.delete(id);
    }
  }
}
