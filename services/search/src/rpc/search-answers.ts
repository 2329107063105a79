import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BucketSchema,
  OfferAggregationsSchema,
  PriceStatsSchema,
} from "@storefront/contracts/search/v1/offer_query";
import type { Bucket, OfferAggregations, PriceStatistics } from "../engine/offer-search.ts";

/** The messages of counted values, by name. */
export function bucketMessages<Name extends string>(
  counts: Readonly<Partial<Record<Name, readonly Bucket[]>>>,
): Partial<Record<Name, MessageInitShape<typeof BucketSchema>[]>> {
  const entries = Object.entries<readonly Bucket[] | undefined>(counts);
  return Object.fromEntries(
    entries.map(([name, buckets = []]) => [name, buckets.map(bucketMessage)]),
  ) as Partial<Record<Name, MessageInitShape<typeof BucketSchema>[]>>;
}

/** The message of counts over all found offers; what was not asked for is empty or absent. */
export function aggregationsMessage({
  prices,
  ...buckets
}: Partial<OfferAggregations>): MessageInitShape<typeof OfferAggregationsSchema> {
  return {
    ...bucketMessages(buckets),
    ...(prices === undefined ? {} : { priceStats: priceStatsMessage(prices) }),
  };
}

function bucketMessage({ key, count }: Bucket): MessageInitShape<typeof BucketSchema> {
  return { key, count: BigInt(count) };
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
