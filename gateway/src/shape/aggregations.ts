import type { Bucket, OfferAggregations } from "@storefront/contracts/search/v1/search_service";
import type { Aggregations } from "../schemas/aggregations.ts";
import { integerOf } from "./integer.ts";

/** Counts over the found offers as REST shows them. */
export function aggregationsOf(aggregations: OfferAggregations): Aggregations {
  const { priceStats: stats } = aggregations;
  return {
    technologies: bucketsOf(aggregations.technologies),
    offerType: bucketsOf(aggregations.offerTypes),
    tags: bucketsOf(aggregations.tags),
    developer: bucketsOf(aggregations.developers),
    publisher: bucketsOf(aggregations.publishers),
    seller: bucketsOf(aggregations.sellers),
    price_stats: {
      count: Number(stats?.count ?? 0n),
      min: integerOf(stats?.min),
      max: integerOf(stats?.max),
      avg: stats?.avg ?? null,
    },
  };
}

function bucketsOf(buckets: readonly Bucket[]): Aggregations["technologies"] {
  return { buckets: buckets.map(({ key, count }) => ({ key, doc_count: Number(count) })) };
}
