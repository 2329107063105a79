import { z } from "zod";
import { zText } from "../../schemas/members.ts";
import { zCountry, zIdentifier } from "../../schemas/parameters.ts";

export const zCountFacetsInput = z.object({
  id: zIdentifier("Id of the saved query.", "9e107d9d372bb6826bd81d3542a419d6"),
  country: zCountry,
});

const zCounts = z.array(
  z
    .object({ _id: z.string(), count: z.int().min(0) })
    .meta({ id: "FacetCount", description: "A value and how many of the found offers have it." }),
);

export const zCountFacetsOutput = z
  .object({
    tagCounts: zCounts.meta({ description: "By tag id." }),
    offerTypeCounts: zCounts,
    total: z.int().min(0).meta({ description: "Number of found offers." }),
    developer: zCounts,
    publisher: zCounts,
    priceRange: z
      .object({
        minPrice: z.int().nullable().meta({ description: "Minor units." }),
        maxPrice: z.int().nullable().meta({ description: "Minor units." }),
        currency: zText.meta({ description: "ISO 4217." }),
      })
      .meta({
        id: "FacetPriceRange",
        description: "What the found offers cost in the region; nulls when none has a price there.",
      }),
  })
  .meta({ id: "FacetCounts", description: "Counts over all found offers, most first." });
