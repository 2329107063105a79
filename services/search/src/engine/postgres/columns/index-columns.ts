import { settledWithin } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import { tablesOf } from "../tables.ts";
import { WordColumns } from "../words/word-columns.ts";
import { FollowedColumns } from "./followed-columns.ts";
import { OfferColumns } from "./offer-columns.ts";
import { ReadWriteLock } from "./read-write-lock.ts";
import { RegionPrices } from "./region-prices.ts";
import type { PriceColumnsRequest, PricesOfRegion } from "./region-prices.ts";

/**
 * Memory limit in bytes of offers and prices: half a million offers with prices in 52 regions. The manifests' memory
 * limit depends on it.
 */
const maxBytes = 512 * 2 ** 20;

/** Memory limit in bytes of words: those of a million typical offers. */
const maxWordBytes = 256 * 2 ** 20;

/** Longest wait of a search for words to load, in milliseconds; then the database finds them. */
const maxWordsWaitMs = 100;

/** Minimum versions of data in memory. */
export interface WrittenVersions {
  /** Of the generation. */
  readonly offers: bigint;
  readonly prices: bigint;
}

export interface SearchColumns extends PricesOfRegion {
  readonly offers: OfferColumns;
}

interface ColumnsRequest extends PriceColumnsRequest {
  /** Default any of a moment ago. */
  readonly atLeast?: WrittenVersions | undefined;
}

/**
 * The offers of a generation and the prices in memory, as columns for filters, orders and counts. Half a million offers
 * take 120 MB and the prices of a region 5 MB; a search scans them in some ten milliseconds, database rows in a second.
 */
class IndexColumns {
  readonly #lock: ReadWriteLock;
  readonly #prices: RegionPrices;
  readonly #offers: FollowedColumns<OfferColumns>;
  readonly #words: FollowedColumns<WordColumns>;
  #areWordsTooLarge = false;
  #isReadingWords = false;

  /** @param lock of readers of offers or prices: a search reads many, and yields in between */
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
    // Writes of words always write the offer too.
    this.#words = new FollowedColumns(queryable, {
      generation,
      table,
      create: () => new WordColumns(tablesOf(generation).text, maxWordBytes),
    });
  }

  /**
   * The words of offers, as of now or a moment ago.
   *
   * @param atLeast minimum version of the generation; default any of a moment ago
   * @returns undefined while they load, and when they would take too much memory
   */
  async words(atLeast?: bigint): Promise<WordColumns | undefined> {
    // A read in progress may lack later writes.
    if (this.#areWordsTooLarge || this.#isReadingWords) return undefined;
    const reading = this.#words.upToDate(atLeast);
    const words = await settledWithin(maxWordsWaitMs, reading);
    if (words === undefined) this.#readWordsOn(reading);
    if (words?.isTooLarge !== true) return words;
    this.#areWordsTooLarge = true;
    this.#words.free();
    return undefined;
  }

  /**
   * Reads the columns as of now or a moment ago. They do not change until `use` ends, so it must wait for nothing but
   * its turns.
   */
  async read<Result>(
    request: ColumnsRequest,
    use: (columns: SearchColumns) => Promise<Result>,
  ): Promise<Result> {
    const { region, atLeast } = request;
    const [offers, prices] = await Promise.all([
      this.#offers.upToDate(atLeast?.offers),
      this.#prices.upToDate(request, atLeast?.prices),
    ]);
    this.#prices.makeRoom(maxBytes - this.#offers.sizeBytes, region);
    return await this.#lock.read(() => use({ offers, ...prices }));
  }

  #readWordsOn(reading: Promise<unknown>): void {
    this.#isReadingWords = true;
    const isRead = () => {
      this.#isReadingWords = false;
    };
    // The next call reports a failure.
    reading.then(isRead, isRead);
  }
}

/** The columns of the newest used generation, and of one that is about to be live. */
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
    request: ColumnsRequest,
    use: (columns: SearchColumns) => Promise<Result>,
  ): Promise<Result> {
    const result = await this.#of(generation).read(request, use);
    // Generations with lower numbers do not serve again.
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
