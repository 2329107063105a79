import type { Queryable } from "@storefront/database";
import type { PriceStatistics } from "../../offer-search.ts";
import { grown } from "./packed-lists.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

/** Rows per statement: 2 MB of JSON, parsed in 20 ms. */
const pageSize = 50_000;

/** Columns of some rows. */
interface ColumnPage {
  /** Numbers of the rows, ascending. */
  readonly numbers: readonly number[];
  readonly columns: readonly (readonly (number | null)[])[];
}

/** A column of integers or flags. */
interface PagedColumn {
  readonly name: string;
  /** Whether it is boolean, stored as 1 or 0. Default false. */
  readonly isFlag?: boolean;
}

/** Columns of a table with numbered rows, read by pages. */
abstract class PagedColumns {
  readonly #table: string;
  readonly #lock: ReadWriteLock;
  /** Integers in SQL. */
  readonly #expressions: readonly string[];

  /** @param lock of their readers */
  constructor(table: string, lock: ReadWriteLock, columns: readonly PagedColumn[]) {
    this.#table = table;
    this.#lock = lock;
    this.#expressions = columns.map(
      ({ name, isFlag = false }) => `${name}${isFlag ? "::int" : ""}`,
    );
  }

  /** Reads the whole table into empty columns. */
  async readAll(queryable: Queryable): Promise<void> {
    for await (const page of columnPages(queryable, this.#table, this.#expressions)) this.add(page);
  }

  /** Reads these rows again. */
  async readAgain(queryable: Queryable, numbers: Int32Array): Promise<void> {
    const pages = await Array.fromAsync(
      columnPages(queryable, this.#table, this.#expressions, numbers),
    );
    await this.#lock.write(() => {
      for (const number of numbers) this.forget(number);
      for (const page of pages) this.add(page);
    });
  }

  protected abstract add(page: ColumnPage): void;

  /** The row may be deleted or may never have existed. */
  protected abstract forget(number: number): void;
}

/**
 * Reads a numbered table by pages, as columns, since half a million rows would be as many objects.
 *
 * @param expressions integers in SQL
 * @param only numbers of the rows; default all
 */
async function* columnPages(
  queryable: Queryable,
  table: string,
  expressions: readonly string[],
  only?: Int32Array,
): AsyncGenerator<ColumnPage> {
  const columns = ["number", ...expressions].map(
    (expression, index) => `json_agg(${expression} order by number) as c${index}`,
  );
  const isWanted = only === undefined ? "" : "and number = any($2::int[])";
  const wanted = only === undefined ? [] : [[...only]];
  const statement = `select ${columns.join(", ")} from (
      select * from ${table} where number > $1 ${isWanted} order by number limit ${pageSize}
    ) as page`;
  for (let after = 0; ;) {
    const row = await queryable.readOne<Record<string, number[] | null>>(statement, [
      after,
      ...wanted,
    ]);
    const [numbers = [], ...values] = Object.values(row ?? {}).map((column) => column ?? []);
    yield { numbers, columns: values };
    after = numbers.at(-1) ?? after;
    if (numbers.length < pageSize) return;
  }
}

const maxInt32 = 2 ** 31 - 1;

/** The prices of a region by offer number, 9 bytes each. */
export class PriceColumns extends PagedColumns {
  /** Minor units; -1 where there is no price. */
  discounted: Int32Array | Float64Array = new Int32Array();
  original: Int32Array | Float64Array = new Int32Array();
  /** 1 for the lowest on record. */
  isLowest = new Uint8Array();

  /** @param lock of their readers */
  constructor(table: string, lock: ReadWriteLock) {
    super(table, lock, [
      { name: "discounted" },
      { name: "original" },
      { name: "is_lowest", isFlag: true },
    ]);
  }

  /** Memory in bytes. */
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

  /** Prices above 2³¹ - 1 are rare; only then the memory doubles. */
  #widen(): void {
    if (this.discounted instanceof Float64Array) return;
    this.discounted = Float64Array.from(this.discounted);
    this.original = Float64Array.from(this.original);
  }
}

/** Statistics of offers' prices; `prices` is undefined for an unknown region. */
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

/** Times of prices, and their columns. */
const timeColumns = { updatedAt: "updated_at", lowestSince: "lowest_since" } as const;

/** A time of prices: when they were updated, or since when they are the lowest. */
export type PriceTimeName = keyof typeof timeColumns;

/**
 * A time of the prices of a region by offer number, 8 bytes each; separate from {@link PriceColumns}, since few
 * searches read them.
 */
export class PriceTimes extends PagedColumns {
  /** Milliseconds since 1970; NaN where there is none. */
  times = new Float64Array();

  /** @param lock of their readers */
  constructor(table: string, lock: ReadWriteLock, name: PriceTimeName) {
    super(table, lock, [{ name: timeColumns[name] }]);
  }

  /** Memory in bytes. */
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
