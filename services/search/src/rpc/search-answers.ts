import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BucketSchema,
  OfferAggregationsSchema,
} from "@storefront/contracts/search/v1/search_service";
import type { Bucket, OfferAggregations } from "../engine/offer-search.ts";

/** The messages of counted values. */
export function bucketMessages(
  buckets: readonly Bucket[],
): MessageInitShape<typeof BucketSchema>[] {
  return buckets.map(({ key, count }) => ({ key, count: BigInt(count) }));
}

/** The message of counts over all found offers. */
export function aggregationsMessage(
  aggregations: OfferAggregations,
): MessageInitShape<typeof OfferAggregationsSchema> {
  const { count, min, max, avg } = aggregations.prices;
  return {
    technologies: bucketMessages(aggregations.technologies),
    offerTypes: bucketMessages(aggregations.offerTypes),
    tags: bucketMessages(aggregations.tags),
    developers: bucketMessages(aggregations.developers),
    publishers: bucketMessages(aggregations.publishers),
    sellers: bucketMessages(aggregations.sellers),
    priceStats: {
      count: BigInt(count),
      ...(min === undefined ? {} : { min: BigInt(min) }),
      ...(max === undefined ? {} : { max: BigInt(max) }),
      ...(avg === undefined ? {} : { avg }),
    },
  };
}
