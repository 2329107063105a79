import { settledWithin } from "@storefront/call-scope";
import type { Queryable } from "@storefront/database";
import type { Region } from "@storefront/identifiers";
import { priceTableOf, tablesOf } from "../tables.ts";
import { WordColumns } from "../words/word-columns.ts";
import { FollowedColumns } from "./followed-columns.ts";
import { OfferColumns } from "./offer-columns.ts";
import { PriceColumns } from "./price-columns.ts";
import { PriceTimes } from "./price-times.ts";
import type { PriceTimeName } from "./price-times.ts";
import { ReadWriteLock } from "./read-write-lock.ts";

/**
 * Bytes that offers and prices together may take: half a million offers, and their prices in 52 regions.
 * The limit of memory in the manifests is made for it.
 */
const maxBytes = 512 * 2 ** 20;

/** Bytes that words may take beside them: a million offers' of the kind that stores have. */
const maxWordBytes = 256 * 2 ** 20;

/** How long a search waits for words to be read, in milliseconds; after that the database has to find them. */
const maxWordsWaitMs = 100;

/** What a search reads of a generation. */
export interface SearchColumns {
  readonly offers: OfferColumns;
  /** Undefined for a region that does not exist. */
  readonly prices: PriceColumns | undefined;
  /** Those that were asked for, of a region that exists. */
  readonly times: Partial<Readonly<Record<PriceTimeName, PriceTimes>>>;
}

/** Which of them it reads. */
export interface ColumnsAsked {
  readonly region: Region;
  readonly times: readonly PriceTimeName[];
  /** Version of the generation that they have, or a later one; default any of a moment ago. */
  readonly atLeast?: bigint | undefined;
}

/**
 * The offers and prices of a generation in memory, as columns: what filters, sorts and counts read. Half
 * a million offers take 120 MB and the prices of a region 5 MB; a search looks at all of them in
 * some ten milliseconds, which rows of a database take a second for.
 */
export class IndexColumns {
  readonly #queryable: Queryable;
  readonly #generation: number;
  /** Of all but the words: a search reads many, with pauses in which others have their turn. */
  readonly #lock = new ReadWriteLock();
  readonly #offers: FollowedColumns<OfferColumns>;
  readonly #words: FollowedColumns<WordColumns>;
  #areWordsTooLarge = false;
  #isReadingWords = false;
  /** By table, and which times; those that were asked for last are at the end. */
  readonly #prices = new Map<string, FollowedColumns<PriceColumns>>();
  readonly #times = new Map<string, FollowedColumns<PriceTimes>>();

  constructor(queryable: Queryable, generation: number) {
    this.#queryable = queryable;
    this.#generation = generation;
    const table = tablesOf(generation).offer;
    const create = () => new OfferColumns(table, this.#lock);
    this.#offers = new FollowedColumns(queryable, { generation, part: "offers", table, create });
    // Whoever writes words writes the offer as well.
    this.#words = new FollowedColumns(queryable, {
      generation,
      part: "offers",
      table,
      create: () => new WordColumns(tablesOf(generation).text, maxWordBytes),
    });
  }

  /**
   * The words of offers, as the database has them now, or had them a moment ago.
   *
   * @param atLeast as of {@link ColumnsAsked}
   * @returns undefined when they are still being read, and when they would take too much memory.
   */
  async words(atLeast?: bigint): Promise<WordColumns | undefined> {
    // What is still being read may lack what was written since.
    if (this.#areWordsTooLarge || this.#isReadingWords) return undefined;
    const reading = this.#words.upToDate(atLeast);
    const words = await settledWithin(maxWordsWaitMs, reading);
    if (words === undefined) this.#readWordsOn(reading);
    if (words?.isTooLarge !== true) return words;
    this.#areWordsTooLarge = true;
    this.#words.letGo();
    return undefined;
  }

  /**
   * Reads them as the database has them now, or had them a moment ago. They do not change before that has
   * ended, so it must not wait for anything but its turn.
   */
  async read<Answer>(
    { region, times: asked, atLeast }: ColumnsAsked,
    use: (columns: SearchColumns) => Promise<Answer>,
  ): Promise<Answer> {
    const table = priceTableOf(this.#generation, region);
    const [offers, prices, times] = await Promise.all([
      this.#offers.upToDate(atLeast),
      table === undefined ? undefined : this.#pricesIn(table).upToDate(atLeast),
      table === undefined
        ? []
        : Promise.all(asked.map((name) => this.#timesIn(table, name, atLeast))),
    ]);
    this.#makeRoom(table);
    return await this.#lock.read(() => use({ offers, prices, times: Object.fromEntries(times) }));
  }

  #readWordsOn(reading: Promise<unknown>): void {
    this.#isReadingWords = true;
    const isRead = () => {
      this.#isReadingWords = false;
    };
    // Whoever asks next learns of a failure.
    reading.then(isRead, isRead);
  }

  #pricesIn(table: string): FollowedColumns<PriceColumns> {
    return this.#followed(this.#prices, table, table, () => new PriceColumns(table, this.#lock));
  }

  async #timesIn(
    table: string,
    name: PriceTimeName,
    atLeast: bigint | undefined,
  ): Promise<[PriceTimeName, PriceTimes]> {
    const create = () => new PriceTimes(table, this.#lock, name);
    const times = this.#followed(this.#times, `${table} ${name}`, table, create);
    return [name, await times.upToDate(atLeast)];
  }

  #followed<Held extends PriceColumns | PriceTimes>(
    held: Map<string, FollowedColumns<Held>>,
    key: string,
    table: string,
    create: () => Held,
  ): FollowedColumns<Held> {
    const part = { generation: this.#generation, part: "prices", table } as const;
    const columns = held.get(key) ?? new FollowedColumns(this.#queryable, { ...part, create });
    held.delete(key);
    held.set(key, columns);
    return columns;
  }

  /** Lets go the prices that were not asked for longest, but those of the table that is asked for now. */
  #makeRoom(asked: string | undefined): void {
    let { sizeBytes } = this.#offers;
    for (const held of [this.#prices, this.#times]) {
      for (const columns of held.values()) sizeBytes += columns.sizeBytes;
    }
    // Few searches read the times.
    for (const held of [this.#times, this.#prices]) {
      for (const [key, columns] of held) {
        if (sizeBytes <= maxBytes) return;
        if (key.split(" ")[0] === asked) continue;
        held.delete(key);
        sizeBytes -= columns.sizeBytes;
      }
    }
  }
}
