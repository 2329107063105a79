import type { SearchRow } from "./search-row.ts";

/** Tags by id: the last of two tags with one id counts. */
export function tagsOf({ offer }: SearchRow): ReadonlyMap<string, string | null | undefined> {
  return new Map((offer.tags ?? []).map(({ id, name }) => [id, name]));
}

/** Statistics of the prices of rows; null without prices. */
export function priceStatistics(rows: readonly SearchRow[]) {
  const amounts = rows.flatMap(({ price }) => price?.price.discountPrice ?? []);
  const count = amounts.length;
  if (count === 0) return { count, min: null, max: null, avg: null };
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return { count, min: Math.min(...amounts), max: Math.max(...amounts), avg: sum / count };
}
