import { grown } from "../columns/packed-lists.ts";

/** Numbers per page: 1 MB. Growth by pages never copies. */
const pageBits = 18;
const pageSize = 2 ** pageBits;

/** A list's first block holds two postings, each later one twice as many, up to 1024. */
const blockKinds = 10;
const capacityOf = (kind: number) => 2 << kind;

/** Work yields after this many postings or slots: some milliseconds. */
export const postingsPerTurn = 500_000;

/** The best place of a word in an offer: 4 the title, 3 makers, 2 tags, 1 the description. */
export type PlaceRank = 1 | 2 | 3 | 4;

/**
 * The postings of each word, by its number: 4 bytes each, for a slot and the rank of a place. Lists are chains of
 * blocks; the first number of a block is the offset of the next.
 */
export class PostingLists {
  readonly #pages: Uint32Array[] = [];
  /** 0 means no block: the first offset of the first page is never used. */
  #used = 1;
  readonly #free: number[][] = Array.from({ length: blockKinds }, () => []);
  #first = new Uint32Array();
  #last = new Uint32Array();
  #counts = new Uint32Array();

  /** Memory in bytes. */
  get sizeBytes(): number {
    return 4 * pageSize * this.#pages.length + 3 * this.#counts.byteLength;
  }

  add(word: number, slot: number, rank: PlaceRank): void {
    const count = this.#counts[word] ?? 0;
    const { kind, at } = placeOf(count);
    let block = this.#last[word] ?? 0;
    if (at === 0) {
      const fresh = this.#take(kind);
      if (block === 0) {
        this.#first = grown(this.#first, word + 1);
        this.#last = grown(this.#last, word + 1);
        this.#counts = grown(this.#counts, word + 1);
        this.#first[word] = fresh;
      } else {
        this.#set(block, fresh);
      }
      this.#last[word] = fresh;
      block = fresh;
    }
    this.#set(block + 1 + at, ((slot << 2) | (rank - 1)) >>> 0);
    this.#counts[word] = count + 1;
  }

  /** The number of slots with a word. */
  countOf(word: number): number {
    return this.#counts[word] ?? 0;
  }

  /**
   * Raises the rank of each slot with a word to the rank of its place. Iterates over blocks inline: a call for each
   * posting takes almost three times as long.
   *
   * @param rankOfPlace ranks of the four places, the description first
   */
  mark(word: number, rankOfPlace: Uint8Array, ranks: Uint8Array): void {
    let left = this.#counts[word] ?? 0;
    let block = this.#first[word] ?? 0;
    for (let kind = 0; left > 0; kind = Math.min(kind + 1, blockKinds - 1)) {
      const page = this.#pageOf(block);
      const start = block & (pageSize - 1);
      const size = Math.min(left, capacityOf(kind));
      for (let at = start + 1; at <= start + size; at++) {
        const posting = page[at] as number;
        const rank = rankOfPlace[posting & 3] as number;
        const slot = posting >>> 2;
        if ((ranks[slot] as number) < rank) ranks[slot] = rank;
      }
      left -= size;
      block = page[start] as number;
    }
  }

  /**
   * Removes a word's postings of slots that are 1 in `isGone`.
   *
   * @returns the number of postings before
   */
  sweep(word: number, isGone: Uint8Array): number {
    const count = this.#counts[word] ?? 0;
    const remaining: number[] = [];
    this.#each(word, (posting) => {
      if (isGone[posting >>> 2] !== 1) remaining.push(posting);
    });
    if (remaining.length === count) return count;
    this.#giveBack(word);
    for (const posting of remaining) this.add(word, posting >>> 2, rankOf(posting));
    return count;
  }

  #each(word: number, use: (posting: number) => void): void {
    let left = this.#counts[word] ?? 0;
    let block = this.#first[word] ?? 0;
    for (let kind = 0; left > 0; kind = Math.min(kind + 1, blockKinds - 1)) {
      const page = this.#pageOf(block);
      const start = block & (pageSize - 1);
      const size = Math.min(left, capacityOf(kind));
      for (let at = start + 1; at <= start + size; at++) use(page[at] as number);
      left -= size;
      block = page[start] as number;
    }
  }

  #giveBack(word: number): void {
    let block = this.#first[word] ?? 0;
    for (let kind = 0; block !== 0; kind = Math.min(kind + 1, blockKinds - 1)) {
      this.#free[kind]?.push(block);
      block = this.#pageOf(block)[block & (pageSize - 1)] as number;
    }
    this.#first[word] = 0;
    this.#last[word] = 0;
    this.#counts[word] = 0;
  }

  /** An empty block within one page. */
  #take(kind: number): number {
    const size = capacityOf(kind) + 1;
    let block = this.#free[kind]?.pop();
    if (block === undefined) {
      const isBeyond = (this.#used & (pageSize - 1)) + size > pageSize;
      if (isBeyond) this.#used = (this.#used + pageSize - 1) & -pageSize;
      block = this.#used;
      this.#used += size;
      if (this.#used > this.#pages.length * pageSize) this.#pages.push(new Uint32Array(pageSize));
    }
    this.#set(block, 0);
    return block;
  }

  #pageOf(at: number): Uint32Array {
    return this.#pages[at >>> pageBits] as Uint32Array;
  }

  #set(at: number, number: number): void {
    this.#pageOf(at)[at & (pageSize - 1)] = number;
  }
}

/** The kind of block for a list's next posting, and the index in it. */
function placeOf(count: number): { kind: number; at: number } {
  // Blocks hold 2, 4, 8, …: those before kind k hold 2^(k+1) - 2.
  const kind = Math.min(30 - Math.clz32(count + 2), blockKinds - 1);
  const at = count - (capacityOf(kind) - 2);
  return { kind, at: kind === blockKinds - 1 ? at % capacityOf(kind) : at };
}

function rankOf(posting: number): PlaceRank {
  return ((posting & 3) + 1) as PlaceRank;
}
