import type { OfferDocument } from "../engine/index-documents.ts";
import type {
  AggregationName,
  Bucket,
  OfferAggregations,
  PriceStatistics,
} from "../engine/offer-search.ts";
import { compareCodePoints } from "./compare-code-points.ts";

/** Most buckets of an aggregation. */
const maxBuckets = 250;

/**
 * The counts that are asked for over a few offers, as engines count over all that a search finds.
 *
 * @param prices the discount prices of those that have one in the region
 */
export function countOffers(
  offers: readonly OfferDocument[],
  prices: readonly number[],
  asked: readonly AggregationName[],
): Partial<OfferAggregations> {
  const buckets = (valuesOf: (offer: OfferDocument) => readonly (string | undefined)[]) =>
    bucketsOf(offers.map(valuesOf));
  const counted: Readonly<Record<AggregationName, () => readonly Bucket[] | PriceStatistics>> = {
    technologies: () => buckets(({ technologies }) => technologies),
    offerTypes: () => buckets(({ offerType }) => [offerType]),
    tags: () => buckets(({ tags }) => tags.map(({ name }) => name)),
    developers: () => buckets(({ developer }) => [developer]),
    publishers: () => buckets(({ publisher }) => [publisher]),
    sellers: () => buckets(({ sellerName }) => [sellerName]),
    prices: () => statisticsOf(prices),
  };
  return Object.fromEntries(asked.map((name) => [name, counted[name]()]));
}

function bucketsOf(values: readonly (readonly (string | undefined)[])[]): Bucket[] {
  const counts = new Map<string, number>();
  for (const key of values.flatMap((ofOffer) => [...new Set(ofOffer)])) {
    if (key !== undefined && key !== "") counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .map(([key, count]) => ({ key, count }))
    .toSorted((a, b) => b.count - a.count || compareCodePoints(a.key, b.key))
    .slice(0, maxBuckets);
}

function statisticsOf(prices: readonly number[]): PriceStatistics {
  const count = prices.length;
  if (count === 0) return { count, min: undefined, max: undefined, avg: undefined };
  const sum = prices.reduce((total, price) => total + price, 0);
  return { count, min: Math.min(...prices), max: Math.max(...prices), avg: sum / count };
}
