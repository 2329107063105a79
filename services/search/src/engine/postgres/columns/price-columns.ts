import type { Queryable } from "@storefront/database";
import { columnPages } from "./column-pages.ts";
import type { ColumnPage } from "./column-pages.ts";
import { grown } from "./grown.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

const maxInt32 = 2 ** 31 - 1;

const expressions = ["discounted", "original", "is_lowest::int"];

/** The prices of a region by the number of their offer, 9 bytes each. */
export class PriceColumns {
  readonly #table: string;
  readonly #lock: ReadWriteLock;
  /** Minor units; -1 where there is no price. */
  discounted: Int32Array | Float64Array = new Int32Array();
  original: Int32Array | Float64Array = new Int32Array();
  /** 1 for the lowest on record. */
  isLowest = new Uint8Array();

  /** @param lock of those who read them */
  constructor(table: string, lock: ReadWriteLock) {
    this.#table = table;
    this.#lock = lock;
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.discounted.byteLength + this.original.byteLength + this.isLowest.byteLength;
  }

  /** Reads all of the table, into columns that are empty. */
  async readAll(queryable: Queryable): Promise<void> {
    for await (const page of columnPages(queryable, this.#table, expressions)) this.#add(page);
  }

  /** Reads those of the offers with these numbers anew. */
  async readAnew(queryable: Queryable, numbers: Int32Array): Promise<void> {
    const pages: ColumnPage[] = [];
    for await (const page of columnPages(queryable, this.#table, expressions, numbers)) {
      pages.push(page);
    }
    await this.#lock.write(() => {
      for (const number of numbers) {
        if (number < this.discounted.length) this.discounted[number] = -1;
      }
      for (const page of pages) this.#add(page);
    });
  }

  #add({ numbers, columns: [discounted = [], original = [], lowest = []] }: ColumnPage): void {
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
