import type { PriceStatistics } from "../../offer-search.ts";
import { PagedColumns } from "./column-pages.ts";
import type { ColumnPage } from "./column-pages.ts";
import { grown } from "./packed-lists.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

const maxInt32 = 2 ** 31 - 1;

/** The prices of a region by the number of their offer, 9 bytes each. */
export class PriceColumns extends PagedColumns {
  /** Minor units; -1 where there is no price. */
  discounted: Int32Array | Float64Array = new Int32Array();
  original: Int32Array | Float64Array = new Int32Array();
  /** 1 for the lowest on record. */
  isLowest = new Uint8Array();

  /** @param lock of those who read them */
  constructor(table: string, lock: ReadWriteLock) {
    super(table, lock, [
      { name: "discounted" },
      { name: "original" },
      { name: "is_lowest", isFlag: true },
    ]);
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.discounted.byteLength + this.original.byteLength + this.isLowest.byteLength;
  }

  protected override forget(number: number): void {
    if (number < this.discounted.length) this.discounted[number] = -1;
  }

  protected override add({
    numbers,
    columns: [discounted = [], original = [], lowest = []],
  }: ColumnPage): void {
    this.#makeRoom((numbers.at(-1) ?? -1) + 1);
    for (const [index, number] of numbers.entries()) {
      if (Math.max(discounted[index] ?? 0, original[index] ?? 0) > maxInt32) this.#widen();
      this.discounted[number] = discounted[index] ?? -1;
      this.original[number] = original[index] ?? 0;
      this.isLowest[number] = lowest[index] ?? 0;
    }
  }

  #makeRoom(length: number): void {
    const before = this.discounted.length;
    this.discounted = grown(this.discounted, length);
    this.discounted.fill(-1, before);
    this.original = grown(this.original, length);
    this.isLowest = grown(this.isLowest, length);
  }

  /** Currencies with such prices are rare: it is not worth twice the memory for all. */
  #widen(): void {
    if (this.discounted instanceof Float64Array) return;
    this.discounted = Float64Array.from(this.discounted);
    this.original = Float64Array.from(this.original);
  }
}

/** What offers cost in a region; `prices` is undefined for a region that does not exist. */
export function priceStatistics(
  offers: Int32Array,
  prices: PriceColumns | undefined,
): PriceStatistics {
  const discounted = prices?.discounted ?? new Int32Array();
  let count = 0;
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < offers.length; index++) {
    const amount = discounted[offers[index] as number] ?? -1;
    if (amount < 0) continue;
    count += 1;
    sum += amount;
    if (amount < min) min = amount;
    if (amount > max) max = amount;
  }
  if (count === 0) return { count, min: undefined, max: undefined, avg: undefined };
  return { count, min, max, avg: sum / count };
}

/** Times of prices, and the columns that hold them. */
const timeColumns = { updatedAt: "updated_at", lowestSince: "lowest_since" } as const;

/** A time of prices: when they were updated, or since when they are the lowest. */
export type PriceTimeName = keyof typeof timeColumns;

/**
 * A time of the prices of a region by the number of their offer, 8 bytes each; apart from
 * {@link PriceColumns}, since few searches read them.
 */
export class PriceTimes extends PagedColumns {
  /** Milliseconds since 1970; NaN where there is none. */
  times = new Float64Array();

  /** @param lock of those who read them */
  constructor(table: string, lock: ReadWriteLock, name: PriceTimeName) {
    super(table, lock, [{ name: timeColumns[name] }]);
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.times.byteLength;
  }

  protected override forget(number: number): void {
    if (number < this.times.length) this.times[number] = Number.NaN;
  }

  protected override add({ numbers, columns: [times = []] }: ColumnPage): void {
    const before = this.times.length;
    this.times = grown(this.times, (numbers.at(-1) ?? -1) + 1);
    this.times.fill(Number.NaN, before);
    for (const [index, number] of numbers.entries()) {
      this.times[number] = times[index] ?? Number.NaN;
    }
  }
}
