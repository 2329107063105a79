import type { AggregationName, OfferAggregations, PriceStatistics } from "../offer-search.ts";
import type { TermBuckets } from "./term-buckets.ts";
import type { TermKind } from "./terms.ts";

/** Most buckets of an aggregation. */
export const maxBuckets = 250;

const kindOf: Readonly<Record<Exclude<AggregationName, "prices">, TermKind>> = {
  technologies: "technology",
  offerTypes: "type",
  tags: "tagName",
  developers: "developer",
  publishers: "publisher",
  sellers: "sellerName",
};

/** The kinds of terms that aggregations count. */
export function countedKinds(asked: readonly AggregationName[]): TermKind[] {
  return asked.flatMap((name) => (name === "prices" ? [] : kindOf[name]));
}

/** The aggregations that were asked for, of what was counted. */
export function aggregationsOf(
  asked: readonly AggregationName[],
  buckets: TermBuckets,
  prices: PriceStatistics,
): Partial<OfferAggregations> {
  return Object.fromEntries(
    asked.map((name) => [name, name === "prices" ? prices : (buckets.get(kindOf[name]) ?? [])]),
  );
}
