import { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import type { Bucket, OfferAggregations } from "@storefront/contracts/search/v1/offer_query";
import { z } from "zod";
import { integerOf, zCount, zList, zObject, zString } from "./members.ts";
import type { Mapped } from "./mapped-fields.ts";

const zBuckets = zObject("Buckets", "Most offers first, then by key; at most 250.", {
  buckets: zList(
    zObject("Bucket", "A value and how many of the found offers have it.", {
      key: zString("The value.", "Unity"),
      doc_count: zCount("Number of offers.", 17),
    }),
    "The values.",
  ),
});

const zNamedBuckets = zObject(
  "NamedBuckets",
  "Most offers first, then by key; at most 250. Two ids of one name are two buckets.",
  {
    buckets: zList(
      zObject(
        "NamedBucket",
        "A name with the id that its filter takes, and how many of the found offers have it.",
        {
          key: zString("The name.", "Competitive"),
          id: zString("What the filter takes.", "1106").nullable().meta({
            description:
              "What the filter takes; null for a seller without an id, and while the search service is too old to say it.",
          }),
          doc_count: zCount("Number of offers.", 17),
        },
      ),
      "The values.",
    ),
  },
);

const zPriceStats = zObject(
  "PriceStats",
  "What the found offers cost in the region, in minor units; null when none does.",
  {
    count: zCount("Found offers with a price.", 40),
    min: z.int().nullable().meta({ description: "Lowest.", example: 499 }),
    max: z.int().nullable().meta({ description: "Highest.", example: 5999 }),
    avg: z.number().nullable().meta({ description: "Mean.", example: 1874.5 }),
  },
);

export const zAggregations = zObject(
  "OfferAggregations",
  "Counts over the found offers of all pages. They are shared by all pages and may be of a moment up to a second before or after that of `total`, so while offers are written a count may be above it.",
  {
    technologies: zBuckets,
    offerType: zBuckets,
    tags: zNamedBuckets,
    developer: zBuckets,
    publisher: zBuckets,
    seller: zNamedBuckets,
    price_stats: zPriceStats,
  },
);

export type Aggregations = z.output<typeof zAggregations>;

/** What clients can narrow to values that contain a text. */
export const facets = {
  technologies: OfferAggregation.TECHNOLOGIES,
  offerType: OfferAggregation.OFFER_TYPES,
  tags: OfferAggregation.TAGS,
  developer: OfferAggregation.DEVELOPERS,
  publisher: OfferAggregation.PUBLISHERS,
  seller: OfferAggregation.SELLERS,
} as const satisfies Record<Exclude<keyof Aggregations, "price_stats">, OfferAggregation>;

type ShownAggregations = Mapped<
  Aggregations,
  OfferAggregations,
  "offerTypes" | "developers" | "publishers" | "sellers" | "priceStats"
>;

export function aggregationsOf(aggregations: OfferAggregations): ShownAggregations {
  const { priceStats } = aggregations;
  return {
    technologies: bucketsOf(aggregations.technologies),
    offerType: bucketsOf(aggregations.offerTypes),
    tags: namedBucketsOf(aggregations.tags),
    developer: bucketsOf(aggregations.developers),
    publisher: bucketsOf(aggregations.publishers),
    seller: namedBucketsOf(aggregations.sellers),
    price_stats: {
      count: Number(priceStats?.count ?? 0n),
      min: integerOf(priceStats?.min),
      max: integerOf(priceStats?.max),
      avg: priceStats?.avg ?? null,
    },
  };
}

function bucketsOf(buckets: readonly Bucket[]): z.output<typeof zBuckets> {
  return { buckets: buckets.map(({ key, count }) => ({ key, doc_count: Number(count) })) };
}

function namedBucketsOf(buckets: readonly Bucket[]): z.output<typeof zNamedBuckets> {
  return {
    buckets: buckets.map(({ key, id, count }) => ({
      key,
      id: id ?? null,
      doc_count: Number(count),
    })),
  };
}
