import type { Bucket } from "@storefront/contracts/search/v1/offer_query";
import type { CountFacetsResponse } from "@storefront/contracts/search/v1/search_service";
import type { Region } from "@storefront/identifiers";
import { currencyOf } from "@storefront/regions";
import { z } from "zod";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import { zText, integerOf } from "../../records/members.ts";
import { zCountry, zIdentifier } from "../../schemas/parameters.ts";
import type { Shows } from "../../records/shows.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const zCounts = z.array(
  z
    .object({
      _id: z.string().meta({ description: "The value.", example: "1216" }),
      count: z.int().min(0).meta({ description: "Number of offers.", example: 17 }),
    })
    .meta({ id: "FacetCount", description: "A value and how many of the found offers have it." }),
);

const zCountFacetsOutput = z
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

export const countFacets = operation({
  method: "GET",
  path: "/search/{id}/count",
  operationId: "countFacets",
  tag: "search",
  summary: "Count what a saved query finds",
  description:
    "Counts by tag, type, developer and publisher, and the range of prices, as they are now. A country that is in no region counts as `US`.",
  isRegional: true,
  takesAnyCountry: true,
  cost: 40,
  input: z.object({
    id: zIdentifier("Id of the saved query.", "9e107d9d372bb6826bd81d3542a419d6"),
    country: zCountry,
  }),
  failures: [404],
  output: zCountFacetsOutput,
  resolve: async ({ ctx, input: { id, country } }) => {
    const { region } = resolveAnyCountry(ctx, country);
    const facets = await callUpstream(ctx, "search.CountFacets", (options) =>
      ctx.clients.search.countFacets({ queryId: id, region }, options),
    );
    return facetCountsOf(facets, region);
  },
});

/** All counts, under the names that the contract gives them. */
type FacetCounts = Shows<
  z.output<typeof zCountFacetsOutput>,
  CountFacetsResponse,
  | "tagCounts.key"
  | "offerTypeCounts.key"
  | "developerCounts"
  | "publisherCounts"
  | "totalSize"
  | "minPrice"
  | "maxPrice"
>;

function facetCountsOf(facets: CountFacetsResponse, region: Region): FacetCounts {
  const minPrice = integerOf(facets.minPrice);
  return {
    tagCounts: facets.tagCounts.map(facetCountOf),
    offerTypeCounts: facets.offerTypeCounts.map(facetCountOf),
    total: Number(facets.totalSize),
    developer: facets.developerCounts.map(facetCountOf),
    publisher: facets.publisherCounts.map(facetCountOf),
    priceRange: {
      minPrice,
      maxPrice: integerOf(facets.maxPrice),
      currency: minPrice === null ? null : (currencyOf(region) ?? null),
    },
  };
}

function facetCountOf({ key, count }: Bucket) {
  return { _id: key, count: Number(count) };
}
