import type { PriceStatistics } from "../../offer-search.ts";
import type { PriceColumns } from "./price-columns.ts";

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
