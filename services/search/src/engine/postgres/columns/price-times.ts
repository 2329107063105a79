import type { Queryable } from "@storefront/database";
import { columnPages } from "./column-pages.ts";
import type { ColumnPage } from "./column-pages.ts";
import { grown } from "./grown.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

/**
 * When the prices of a region were updated, by the number of their offer, 8 bytes each; apart from
 * {@link PriceColumns}, since one order alone reads them.
 */
export class PriceTimes {
  readonly #table: string;
  readonly #lock: ReadWriteLock;
  /** Milliseconds since 1970; NaN where there is none. */
  updatedAt = new Float64Array();

  /** @param lock of those who read them */
  constructor(table: string, lock: ReadWriteLock) {
    this.#table = table;
    this.#lock = lock;
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.updatedAt.byteLength;
  }

  /** Reads all of the table, into columns that are empty. */
  async readAll(queryable: Queryable): Promise<void> {
    for await (const page of columnPages(queryable, this.#table, ["updated_at"])) this.#add(page);
  }

  /** Reads those of the offers with these numbers anew. */
  async readAnew(queryable: Queryable, numbers: Int32Array): Promise<void> {
    const pages: ColumnPage[] = [];
    for await (const page of columnPages(queryable, this.#table, ["updated_at"], numbers)) {
      pages.push(page);
    }
    await this.#lock.write(() => {
      for (const number of numbers) {
        if (number < this.updatedAt.length) this.updatedAt[number] = NaN;
      }
      for (const page of pages) this.#add(page);
    });
  }

  #add({ numbers, columns: [updated = []] }: ColumnPage): void {
    const before = this.updatedAt.length;
    this.updatedAt = grown(this.updatedAt, (numbers.at(-1) ?? -1) + 1);
    this.updatedAt.fill(Number.NaN, before);
    for (const [index, number] of numbers.entries()) {
      this.updatedAt[number] = updated[index] ?? Number.NaN;
    }
  }
}
