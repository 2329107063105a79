import { z } from "zod";
import { zText } from "../../../schemas/members.ts";
import { zCountry, zIdentifier } from "../../../schemas/parameters.ts";

export const zCountFacetsInput = z.object({
  id: zIdentifier("Id of the saved query.", "9e107d9d372bb6826bd81d3542a419d6"),
  country: zCountry,
});

const zCounts = z.array(
  z
    .object({
      _id: z.string().meta({ description: "The value.", example: "1216" }),
      count: z.int().min(0).meta({ description: "Number of offers.", example: 17 }),
    })
    .meta({ id: "FacetCount", description: "A value and how many of the found offers have it." }),
);

export const zCountFacetsOutput = z
  .object({
    tagCounts: zCounts.meta({ description: "By tag id." }),
    offerTypeCounts: zCounts.meta({ description: "By offer type." }),
    total: z.int().min(0).meta({ description: "Number of found offers.", example: 42 }),
    developer: zCounts.meta({ description: "By name of the developer." }),
    publisher: zCounts.meta({ description: "By name of the publisher." }),
    priceRange: z
      .object({
        minPrice: z.int().nullable().meta({ description: "Lowest, in minor units.", example: 499 }),
        maxPrice: z
          .int()
          .nullable()
          .meta({ description: "Highest, in minor units.", example: 5999 }),
        currency: zText.meta({ description: "ISO 4217.", example: "USD" }),
      })
      .meta({
        id: "FacetPriceRange",
        description: "What the found offers cost in the region; nulls when none has a price there.",
      }),
  })
  .meta({ id: "FacetCounts", description: "Counts over all found offers, most first." });
