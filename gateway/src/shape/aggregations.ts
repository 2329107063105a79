import type { Bucket, OfferAggregations } from "@storefront/contracts/search/v1/offer_query";
import type { Aggregations } from "../schemas/aggregations.ts";
import { counts } from "../schemas/search-fields.ts";
import { integerOf } from "./integer.ts";

type CountName = keyof typeof counts;
type Buckets = Aggregations["technologies"];

/** Counts over the found offers as REST shows them. */
export function aggregationsOf(aggregations: OfferAggregations): Aggregations {
  const { priceStats: stats } = aggregations;
  const names = Object.keys(counts) as CountName[];
  const buckets = Object.fromEntries(
    names.map((name) => [counts[name], bucketsOf(aggregations[name])]),
  ) as Record<(typeof counts)[CountName], Buckets>;
  return {
    ...buckets,
    price_stats: {
      count: Number(stats?.count ?? 0n),
      min: integerOf(stats?.min),
      max: integerOf(stats?.max),
      avg: stats?.avg ?? null,
    },
  };
}

function bucketsOf(buckets: readonly Bucket[]): Buckets {
  return { buckets: buckets.map(({ key, count }) => ({ key, doc_count: Number(count) })) };
}
