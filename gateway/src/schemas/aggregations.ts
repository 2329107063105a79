import { z } from "zod";

const zCount = z.int().min(0);

const zBuckets = z
  .object({
    buckets: z
      .array(
        z
          .object({
            key: z.string().meta({ description: "The value.", example: "Unity" }),
            doc_count: zCount.meta({ description: "Number of offers.", example: 17 }),
          })
          .meta({ id: "Bucket", description: "A value and how many of the found offers have it." }),
      )
      .meta({ description: "The values." }),
  })
  .meta({
    id: "Buckets",
    description: "Most offers first, then by key; at most 250.",
  });

const zPriceStats = z
  .object({
    count: zCount.meta({ description: "Found offers with a price.", example: 40 }),
    min: z.int().nullable().meta({ description: "Lowest.", example: 499 }),
    max: z.int().nullable().meta({ description: "Highest.", example: 5999 }),
    avg: z.number().nullable().meta({ description: "Mean.", example: 1874.5 }),
  })
  .meta({
    id: "PriceStats",
    description: "What the found offers cost in the region, in minor units; null when none does.",
  });

/** Counts over found offers. */
export const zAggregations = z
  .object({
    technologies: zBuckets,
    offerType: zBuckets,
    tags: zBuckets.meta({ description: "By name." }),
    developer: zBuckets,
    publisher: zBuckets,
    seller: zBuckets.meta({ description: "By name." }),
    price_stats: zPriceStats,
  })
  .meta({
    id: "OfferAggregations",
    description:
      "Counts over the found offers of all pages. They are shared by all pages and may be of a moment up to a second before or after that of `total`, so while offers are written a count may be above it.",
  });

/** As they are answered. */
export type Aggregations = z.output<typeof zAggregations>;
