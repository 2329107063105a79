import type { AggregationName, OfferAggregations, PriceStatistics } from "../offer-search.ts";
import type { TermCounts } from "./term-counts.ts";
import type { TermKind } from "./terms.ts";

/** Most buckets of an aggregation. */
const maxBuckets = 250;

const kindOf: Readonly<Record<Exclude<AggregationName, "prices">, TermKind>> = {
  technologies: "technology",
  offerTypes: "type",
  tags: "tagName",
  developers: "developer",
  publishers: "publisher",
  sellers: "sellerName",
};

/** The aggregations that were asked for, of what was counted. */
export function aggregationsOf(
  asked: readonly AggregationName[],
  counts: TermCounts,
  prices: PriceStatistics,
): Partial<OfferAggregations> {
  return Object.fromEntries(
    asked.map((name) => [name, name === "prices" ? prices : counts.of(kindOf[name], maxBuckets)]),
  );
}
