/** A record of the log as an event of the stream. */
export interface EventBlock {
  id: string;
  bytes: Buffer;
  /** What followers may ask for alone; default none, which only those get who ask for all. */
  topic?: string;
  /** Whether what came before it is not to be told any more; default false. */
  endsPast?: boolean;
}

/** What follows a place, or a part of it. */
export interface RingStretch {
  /** Events of the topic, one after the other; may be empty. */
  bytes: Buffer;
  /** The place after them. */
  place: number;
  /** The last event before that place. */
  id: string;
  /** Whether that event is among the bytes. */
  holdsLast: boolean;
}

/** Events that are sent with one write. */
interface Chunk {
  /** The place before its first event. */
  start: number;
  ids: string[];
  topics: (string | undefined)[];
  /** Where each event ends among the bytes. */
  ends: number[];
  bytes: Buffer;
}

// Larger ones would be written at once to clients that take them slowly.
const chunkMaxBytes = 256 * 1024;

/**
 * The newest events of the log without a gap, as bytes that are sent to every client. A place is
 * the number of events before it, counted since the ring was made.
 */
export class EventRing {
  readonly #maxBytes: number;
  readonly #chunks: Chunk[] = [];
  /** The place after each event, and the place after the last one that is gone. */
  readonly #places = new Map<string, number>();
  #sizeBytes = 0;
  #end = 0;
  #newestId: string;

  /**
   * @param startId the event after which it begins; empty when there is none or it is not known
   * @param maxBytes the oldest events go when there are more bytes; the newest stay in any case
   */
  constructor(startId: string, maxBytes: number) {
    this.#newestId = startId;
    this.#maxBytes = maxBytes;
    if (startId !== "") this.#places.set(startId, 0);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The place after the newest event. */
  get end(): number {
    return this.#end;
  }

  /** The event that the next one follows; empty while none is known. */
  get newestId(): string {
    return this.#newestId;
  }

  /** The place after an event; undefined when the ring does not reach back to it, or not yet up to it. */
  placeAfter(id: string): number | undefined {
    return this.#places.get(id);
  }

  append(blocks: readonly EventBlock[]): void {
    let chunk: EventBlock[] = [];
    let chunkBytes = 0;
    for (const block of blocks) {
      if (block.endsPast === true) {
        this.#appendChunk(chunk);
        chunk = [];
        while (this.#chunks.length > 0) this.#dropOldest();
      }
      chunk.push(block);
      chunkBytes += block.bytes.length;
      if (chunkBytes < chunkMaxBytes) continue;
      this.#appendChunk(chunk);
      chunk = [];
      chunkBytes = 0;
    }
    this.#appendChunk(chunk);
    while (this.#sizeBytes > this.#maxBytes && this.#chunks.length > 1) this.#dropOldest();
  }

  /**
   * What follows a place: undefined when nothing does, "gone" when it is no longer there.
   *
   * @param topic gives its events only; default all.
   */
  read(place: number, topic?: string): RingStretch | "gone" | undefined {
    if (place >= this.#end) return undefined;
    const chunk = this.#chunks.findLast(({ start }) => start <= place);
    if (chunk === undefined) return "gone";
    const { start, ids, topics } = chunk;
    return {
      bytes: bytesOf(chunk, place - start, topic),
      place: start + ids.length,
      id: ids.at(-1) ?? "",
      holdsLast: topic === undefined || topics.at(-1) === topic,
    };
  }

  #appendChunk(blocks: readonly EventBlock[]): void {
    if (blocks.length === 0) return;
    const bytes = Buffer.concat(blocks.map((block) => block.bytes));
    const chunk: Chunk = { start: this.#end, ids: [], topics: [], ends: [], bytes };
    let sizeBytes = 0;
    for (const block of blocks) {
      sizeBytes += block.bytes.length;
      chunk.ids.push(block.id);
      chunk.topics.push(block.topic);
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

/** The events of a chunk from one on, by its number in the chunk. */
function bytesOf({ topics, ends, bytes }: Chunk, first: number, topic: string | undefined): Buffer {
  const startOf = (index: number) => (index === 0 ? 0 : (ends[index - 1] ?? 0));
  if (topic === undefined) return bytes.subarray(startOf(first));
  const parts = topics.flatMap((each, index) =>
    index >= first && each === topic ? bytes.subarray(startOf(index), ends[index]) : [],
  );
  return Buffer.concat(parts);
}
