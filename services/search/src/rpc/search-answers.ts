import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BucketSchema,
  OfferAggregationsSchema,
  PriceStatsSchema,
} from "@storefront/contracts/search/v1/search_service";
import type { Bucket, OfferAggregations, PriceStatistics } from "../engine/offer-search.ts";

/** The messages of counted values. */
export function bucketMessages(
  buckets: readonly Bucket[],
): MessageInitShape<typeof BucketSchema>[] {
  return buckets.map(({ key, count }) => ({ key, count: BigInt(count) }));
}

/** The message of counts over all found offers; what was not asked for is empty or absent. */
export function aggregationsMessage({
  prices,
  ...buckets
}: Partial<OfferAggregations>): MessageInitShape<typeof OfferAggregationsSchema> {
  return {
    technologies: bucketMessages(buckets.technologies ?? []),
    offerTypes: bucketMessages(buckets.offerTypes ?? []),
    tags: bucketMessages(buckets.tags ?? []),
    developers: bucketMessages(buckets.developers ?? []),
    publishers: bucketMessages(buckets.publishers ?? []),
    sellers: bucketMessages(buckets.sellers ?? []),
    ...(prices === undefined ? {} : { priceStats: priceStatsMessage(prices) }),
  };
}

function priceStatsMessage({
  count,
  min,
  max,
  avg,
}: PriceStatistics): MessageInitShape<typeof PriceStatsSchema> {
  return {
    count: BigInt(count),
    ...(min === undefined ? {} : { min: BigInt(min) }),
    ...(max === undefined ? {} : { max: BigInt(max) }),
    ...(avg === undefined ? {} : { avg }),
  };
}
