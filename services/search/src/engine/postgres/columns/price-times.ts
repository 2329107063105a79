import { PagedColumns } from "./column-pages.ts";
import type { ColumnPage } from "./column-pages.ts";
import { grown } from "./grown.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

/**
 * When the prices of a region were updated, by the number of their offer, 8 bytes each; apart from
 * {@link PriceColumns}, since one order alone reads them.
 */
export class PriceTimes extends PagedColumns {
  /** Milliseconds since 1970; NaN where there is none. */
  updatedAt = new Float64Array();

  /** @param lock of those who read them */
  constructor(table: string, lock: ReadWriteLock) {
    super(table, lock, ["updated_at"]);
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.updatedAt.byteLength;
  }

  protected override forget(number: number): void {
    if (number < this.updatedAt.length) this.updatedAt[number] = Number.NaN;
  }

  protected override add({ numbers, columns: [updated = []] }: ColumnPage): void {
    const before = this.updatedAt.length;
    this.updatedAt = grown(this.updatedAt, (numbers.at(-1) ?? -1) + 1);
    this.updatedAt.fill(Number.NaN, before);
    for (const [index, number] of numbers.entries()) {
      this.updatedAt[number] = updated[index] ?? Number.NaN;
    }
  }
}
