import { PagedColumns } from "./column-pages.ts";
import type { ColumnPage } from "./column-pages.ts";
import { grown } from "./grown.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

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
