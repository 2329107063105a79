/** A record of the log as an event of the stream. */
export interface EventBlock {
  id: string;
  bytes: Buffer;
  /** What followers may choose; default none, which only followers of everything get. */
  topic?: string;
  /** Whether no event before it may be sent any more; default false. */
  endsPast?: boolean;
}

/** Events of a topic, or all, that follow each other. */
export interface EventStretch {
  /** May be empty. */
  bytes: Buffer;
  /** The last event of the stretch, whatever its topic. */
  id: string;
  /** Whether that event is among the bytes. */
  holdsLast: boolean;
  /** The position after it in the ring; undefined before the ring. */
  position?: number;
}

/** Events that are written together. */
interface Chunk {
  /** The position before its first event. */
  start: number;
  /** Each with its end among the bytes. */
  events: { id: string; topic: string | undefined; end: number }[];
  bytes: Buffer;
}

// Larger ones would be buffered for slow clients.
const chunkMaxBytes = 256 * 1024;

/**
 * The newest events of the log without a gap, as bytes that are sent to every client. A position is
 * the number of events before it, counted since the ring was made.
 */
export class EventRing {
  readonly #maxBytes: number;
  readonly #chunks: Chunk[] = [];
  /** The position after each event, and after the last one that was dropped. */
  readonly #positions = new Map<string, number>();
  #sizeBytes = 0;
  #end = 0;
  #newestId: string;

  /**
   * @param startId the event after which it begins; empty when there is none or it is not known
   * @param maxBytes beyond it the oldest events are dropped, but never the newest
   */
  constructor(startId: string, maxBytes: number) {
    this.#newestId = startId;
    this.#maxBytes = maxBytes;
    if (startId !== "") this.#positions.set(startId, 0);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The position after the newest event. */
  get end(): number {
    return this.#end;
  }

  /** Empty while no event is known. */
  get newestId(): string {
    return this.#newestId;
  }

  /** The position after an event; undefined for one that was dropped or is yet to come. */
  positionAfter(id: string): number | undefined {
    return this.#positions.get(id);
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
   * What follows a position: undefined when nothing does, "gone" when it was dropped.
   *
   * @param topic selects its events; default all
   */
  read(position: number, topic?: string): Required<EventStretch> | "gone" | undefined {
    if (position >= this.#end) return undefined;
    const chunk = this.#chunks.findLast(({ start }) => start <= position);
    if (chunk === undefined) return "gone";
    const { start, events } = chunk;
    const last = events.at(-1);
    return {
      bytes: bytesOf(chunk, position - start, topic),
      position: start + events.length,
      id: last?.id ?? "",
      holdsLast: topic === undefined || last?.topic === topic,
    };
  }

  #appendChunk(blocks: readonly EventBlock[]): void {
    if (blocks.length === 0) return;
    const chunk: Chunk = {
      start: this.#end,
      events: [],
      bytes: Buffer.concat(blocks.map(({ bytes }) => bytes)),
    };
    let end = 0;
    for (const { id, topic, bytes } of blocks) {
      end += bytes.length;
      chunk.events.push({ id, topic, end });
      this.#positions.set(id, ++this.#end);
      this.#newestId = id;
    }
    this.#chunks.push(chunk);
    this.#sizeBytes += end;
  }

  #dropOldest(): void {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return;
    this.#sizeBytes -= chunk.bytes.length;
    // The rest begins after the last one.
    const lastId = chunk.events.at(-1)?.id;
    for (const id of this.#positions.keys()) {
      if (id === lastId) break;
      this.#positions.delete(id);
    }
  }
}

/** The events of a chunk from the one with the number `first`. */
function bytesOf({ events, bytes }: Chunk, first: number, topic: string | undefined): Buffer {
  const startOf = (index: number) => events[index - 1]?.end ?? 0;
  if (topic === undefined) return bytes.subarray(startOf(first));
  const parts = events.flatMap((event, index) =>
    index >= first && event.topic === topic ? bytes.subarray(startOf(index), event.end) : [],
  );
  return Buffer.concat(parts);
}
