import type { Queryable } from "@storefront/database";
import { setImmediate } from "node:timers/promises";
import type { Columns } from "../columns/followed-columns.ts";
import { grown, PackedLists } from "../columns/packed-lists.ts";
import { ReadWriteLock } from "../columns/read-write-lock.ts";
import { PostingLists } from "./posting-lists.ts";
import { eachWord } from "./text-vector.ts";
import { WordNumbers } from "./word-numbers.ts";

/** Longest title length that ranking distinguishes. */
const maxLength = 999;

/** Folded titles by slot, as bytes. */
class TitleKeys {
  readonly #keys = new PackedLists(new Uint8Array());
  /** In characters. */
  #lengths = new Uint16Array();

  /** Memory in bytes. */
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

/** Offers per statement: 500 kB, whose words are added in 10 ms. */
const pageSize = 1_000;

/** A sweep yields after this many postings: some milliseconds. */
const sweptPerTurn = 500_000;

interface Row {
  readonly number: number;
  readonly title_key: string;
  readonly words: string;
}

/**
 * The words of a generation's offers in memory: for each word its offers and places. Half a million offers with 40
 * words each take 150 MB.
 *
 * Each write of an offer moves it to a new slot; postings of the old slot stay until a sweep, which runs when enough
 * slots were freed.
 */
export class WordColumns implements Columns {
  readonly #table: string;
  readonly #maxBytes: number;
  /** Read lock for matching words: an offer must not move during a match. */
  readonly lock = new ReadWriteLock();
  readonly words = new WordNumbers();
  readonly lists = new PostingLists();
  readonly titles = new TitleKeys();
  /** The number of the offer in a slot; 0 in a free one. */
  offers = new Int32Array();
  typeRanks = new Uint8Array();
  /** Above every slot. */
  slotsEnd = 1;
  /** The slot of an offer by its number; 0 without one. */
  #slots = new Int32Array();
  #live = 0;
  #left: number[] = [];
  readonly #free: number[] = [];
  #sweeping: Promise<void> | undefined;

  /** @param maxBytes reading stops above it: see {@link isTooLarge} */
  constructor(table: string, maxBytes: number) {
    this.#table = table;
    this.#maxBytes = maxBytes;
  }

  /** Memory in bytes. */
  get sizeBytes(): number {
    const perSlot = this.offers.byteLength + this.typeRanks.byteLength;
    const parts = this.words.sizeBytes + this.lists.sizeBytes + this.titles.sizeBytes;
    return parts + perSlot + this.#slots.byteLength;
  }

  /** Whether offers may be missing because of the memory limit. */
  get isTooLarge(): boolean {
    return this.sizeBytes > this.#maxBytes;
  }

  get offerCount(): number {
    return this.#live;
  }

  /** Resolves after the current sweep. */
  async swept(): Promise<void> {
    await this.#sweeping;
  }

  /** Reads the whole table into empty columns. */
  async readAll(queryable: Queryable): Promise<void> {
    for (let after = 0; !this.isTooLarge;) {
      const rows = await this.#rows(
        queryable,
        `number > $1 order by number limit ${pageSize}`,
        after,
      );
      for (const row of rows) this.#set(row);
      after = rows.at(-1)?.number ?? after;
      if (rows.length < pageSize) return;
    }
  }

  /** Reads these offers again. Each changes atomically. */
  async readAgain(queryable: Queryable, numbers: Int32Array): Promise<void> {
    for (let from = 0; from < numbers.length && !this.isTooLarge; from += pageSize) {
      const page = [...numbers.subarray(from, from + pageSize)];
      const rows = await this.#rows(queryable, "number = any($1::int[])", page);
      await this.lock.write(() => {
        for (const number of page) this.#leave(number);
        for (const row of rows) this.#set(row);
      });
    }
    if (this.#left.length > 1_000 && this.#left.length > this.#live / 4) {
      this.#sweeping ??= this.#sweep().finally(() => (this.#sweeping = undefined));
    }
  }

  async #rows(queryable: Queryable, condition: string, parameter: unknown): Promise<Row[]> {
    return await queryable.read<Row>(
      `select number, title_key, words::text as words from ${this.#table}
        where ${condition}`,
      [parameter],
    );
  }

  #leave(number: number): void {
    const slot = this.#slots[number] ?? 0;
    if (slot === 0) return;
    this.#slots[number] = 0;
    this.offers[slot] = 0;
    this.#left.push(slot);
    this.#live -= 1;
  }

  #set({ number, title_key: titleKey, words }: Row): void {
    const slot = this.#free.pop() ?? this.slotsEnd++;
    this.#slots = grown(this.#slots, number + 1);
    this.offers = grown(this.offers, slot + 1);
    this.typeRanks = grown(this.typeRanks, slot + 1);
    this.#slots[number] = slot;
    this.offers[slot] = number;
    this.titles.set(slot, titleKey);
    this.#live += 1;
    this.typeRanks[slot] = eachWord(words, (from, to, rank) => {
      this.lists.add(this.words.add(words, from, to), slot, rank);
    });
  }

  /** Removes postings of freed slots from all lists; then the slots can be used again. */
  async #sweep(): Promise<void> {
    const left = this.#left;
    this.#left = [];
    const isGone = new Uint8Array(this.slotsEnd);
    for (const slot of left) isGone[slot] = 1;
    for (let word = 1; word <= this.words.count;) {
      await this.lock.write(() => {
        word = this.#sweepFrom(word, isGone);
      });
      await setImmediate();
    }
    for (const slot of left) this.#free.push(slot);
  }

  /** @returns the next word */
  #sweepFrom(first: number, isGone: Uint8Array): number {
    let word = first;
    for (let swept = 0; swept < sweptPerTurn && word <= this.words.count; word++) {
      swept += this.lists.sweep(word, isGone) + 1;
    }
    return word;
  }
}
