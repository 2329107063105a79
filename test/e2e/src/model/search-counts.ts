import { byCodePoint } from "./order.ts";
import type { SearchRow } from "./search-row.ts";

/** A value and the number of rows that have it. */
export type Count = [value: string, count: number];

/** Most rows first, then by value; values without a letter or digit have no count. */
export function countBy(
  rows: readonly SearchRow[],
  valuesOf: (row: SearchRow) => readonly (string | null | undefined)[],
): Count[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const value of new Set(valuesOf(row))) {
      if (value && /[\p{L}\p{N}]/u.test(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || byCodePoint(a, b));
}

/** By id, for of two tags with one id the last counts. */
export function tagsOf({ offer }: SearchRow): ReadonlyMap<string, string | null | undefined> {
  return new Map((offer.tags ?? []).map(({ id, name }) => [id, name]));
}

/** What rows cost: null where there is no price. */
export function priceStatistics(rows: readonly SearchRow[]) {
  const amounts = rows.flatMap(({ price }) => price?.price.discountPrice ?? []);
  const count = amounts.length;
  if (count === 0) return { count, min: null, max: null, avg: null };
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return { count, min: Math.min(...amounts), max: Math.max(...amounts), avg: sum / count };
}
