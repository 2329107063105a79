import { z } from "zod";
import { countShape, zCount } from "./search-fields.ts";

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
    ...countShape,
    price_stats: zPriceStats,
  })
  .meta({
    id: "OfferAggregations",
    description:
      "Counts over the found offers of all pages. They are shared by all pages and may be of a moment up to a second before or after that of `total`, so while offers are written a count may be above it.",
  });

/** As they are answered. */
export type Aggregations = z.output<typeof zAggregations>;
