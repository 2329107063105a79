import { settledWithin } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import { tablesOf } from "../tables.ts";
import { WordColumns } from "../words/word-columns.ts";
import { FollowedColumns } from "./followed-columns.ts";
import { OfferColumns } from "./offer-columns.ts";
import { ReadWriteLock } from "./read-write-lock.ts";
import { RegionPrices } from "./region-prices.ts";
import type { PricesAsked, PricesOfRegion } from "./region-prices.ts";

/**
 * Bytes that offers and prices together may take: half a million offers, and their prices in 52 regions.
 * The limit of memory in the manifests is made for it.
 */
const maxBytes = 512 * 2 ** 20;

/** Bytes that words may take beside them: a million offers' of the kind that stores have. */
const maxWordBytes = 256 * 2 ** 20;

/** How long a search waits for words to be read, in milliseconds; after that the database has to find them. */
const maxWordsWaitMs = 100;

/** Versions of what is held in memory, or later ones. */
export interface WrittenVersions {
  /** Of the generation. */
  readonly offers: bigint;
  readonly prices: bigint;
}

/** What a search reads of a generation. */
export interface SearchColumns extends PricesOfRegion {
  readonly offers: OfferColumns;
}

/** Which of them it reads. */
interface ColumnsAsked extends PricesAsked {
  /** Default any of a moment ago. */
  readonly atLeast?: WrittenVersions | undefined;
}

/**
 * The offers of a generation and the prices in memory, as columns: what filters, sorts and counts read. Half
 * a million offers take 120 MB and the prices of a region 5 MB; a search looks at all of them in
 * some ten milliseconds, which rows of a database take a second for.
 */
class IndexColumns {
  readonly #lock: ReadWriteLock;
  readonly #prices: RegionPrices;
  readonly #offers: FollowedColumns<OfferColumns>;
  readonly #words: FollowedColumns<WordColumns>;
  #areWordsTooLarge = false;
  #isReadingWords = false;

  /** @param lock of those who read offers or prices: a search reads many, with pauses in which others have their turn */
  constructor(
    queryable: Queryable,
    generation: number,
    { prices, lock }: { prices: RegionPrices; lock: ReadWriteLock },
  ) {
    this.#lock = lock;
    this.#prices = prices;
    const table = tablesOf(generation).offer;
    const create = () => new OfferColumns(table, lock);
    this.#offers = new FollowedColumns(queryable, { generation, table, create });
    // Whoever writes words writes the offer as well.
    this.#words = new FollowedColumns(queryable, {
      generation,
      table,
      create: () => new WordColumns(tablesOf(generation).text, maxWordBytes),
    });
  }

  /**
   * The words of offers, as the database has them now, or had them a moment ago.
   *
   * @param atLeast version of the generation that they have, or a later one; default any of a moment ago
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
  async read<Result>(
    asked: ColumnsAsked,
    use: (columns: SearchColumns) => Promise<Result>,
  ): Promise<Result> {
    const { region, atLeast } = asked;
    const [offers, prices] = await Promise.all([
      this.#offers.upToDate(atLeast?.offers),
      this.#prices.upToDate(asked, atLeast?.prices),
    ]);
    this.#prices.makeRoom(maxBytes - this.#offers.sizeBytes, region);
    return await this.#lock.read(() => use({ offers, ...prices }));
  }

  #readWordsOn(reading: Promise<unknown>): void {
    this.#isReadingWords = true;
    const isRead = () => {
      this.#isReadingWords = false;
    };
    // Whoever asks next learns of a failure.
    reading.then(isRead, isRead);
  }
}

/** The columns of the newest generation that has answered, and meanwhile of one that is to. */
export class ColumnsOfGenerations {
  readonly #queryable: Queryable;
  readonly #shared: { readonly prices: RegionPrices; readonly lock: ReadWriteLock };
  readonly #held = new Map<number, IndexColumns>();

  constructor(queryable: Queryable) {
    this.#queryable = queryable;
    const lock = new ReadWriteLock();
    this.#shared = { prices: new RegionPrices(queryable, lock), lock };
  }

  /** As {@link IndexColumns.read}, of a generation. */
  async read<Result>(
    generation: number,
    asked: ColumnsAsked,
    use: (columns: SearchColumns) => Promise<Result>,
  ): Promise<Result> {
    const result = await this.#of(generation).read(asked, use);
    // A newer one takes a higher number: those before it do not serve again.
    for (const older of this.#held.keys()) if (older < generation) this.#held.delete(older);
    return result;
  }

  /** As {@link IndexColumns.words}, of a generation. */
  async words(generation: number, atLeast?: bigint): Promise<WordColumns | undefined> {
    return await this.#of(generation).words(atLeast);
  }

  forget(generation: number): void {
    this.#held.delete(generation);
  }

  #of(generation: number): IndexColumns {
    const columns =
      this.#held.get(generation) ?? new IndexColumns(this.#queryable, generation, this.#shared);
    this.#held.set(generation, columns);
    return columns;
  }
}
