import { compareCodePoints } from "@storefront/database";
import type { OfferDocument } from "../engine/index-documents.ts";
import type {
  AggregationName,
  Bucket,
  OfferAggregations,
  PriceStatistics,
} from "../engine/offer-search.ts";
import { countedFields, isCounted, valuesOf } from "./offer-terms.ts";

/** Maximum buckets of an aggregation. */
export const maxBuckets = 250;

/** Most offers first, then by key. */
export function compareBuckets(a: Bucket, b: Bucket): number {
  return b.count - a.count || compareCodePoints(a.key, b.key);
}

/**
 * The requested counts of a few offers, equal to those of an engine over search results.
 *
 * @param prices the offers' discount prices in the region, where they have one
 */
export function countOffers(
  offers: readonly OfferDocument[],
  prices: readonly number[],
  requested: readonly AggregationName[],
): Partial<OfferAggregations> {
  const counted = (name: AggregationName) => {
    if (name === "prices") return priceStatistics(prices.map((price) => ({ price, count: 1 })));
    const field = countedFields.get(name);
    return bucketsOf(offers.map((offer) => (field === undefined ? [] : valuesOf(offer, field))));
  };
  return Object.fromEntries(requested.map((name) => [name, counted(name)]));
}

function bucketsOf(values: readonly (readonly string[])[]): Bucket[] {
  const counts = new Map<string, number>();
  for (const key of values.flatMap((offerValues) => [...new Set(offerValues)])) {
    if (isCounted(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .map(([key, count]) => ({ key, count }))
    .toSorted(compareBuckets)
    .slice(0, maxBuckets);
}

/** @param counts offers per price in minor units; at least one each */
export function priceStatistics(
  counts: readonly { readonly price: number; readonly count: number }[],
): PriceStatistics {
  let count = 0;
  let sum = 0;
  for (const each of counts) {
    count += each.count;
    sum += each.price * each.count;
  }
  if (count === 0) return { count, min: undefined, max: undefined, avg: undefined };
  const prices = counts.map(({ price }) => price).toSorted((a, b) => a - b);
  return { count, min: prices[0], max: prices.at(-1), avg: sum / count };
}
