import type { Bucket } from "@storefront/contracts/search/v1/search_service";
import { currencyOf } from "@storefront/regions";
import { resolveRegion } from "../../../compose/resolve-country.ts";
import { integerOf } from "../../../shape/integer.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zCountFacetsInput, zCountFacetsOutput } from "./count-facets.schema.ts";

export const countFacets = operation({
  method: "GET",
  path: "/search/{id}/count",
  operationId: "countFacets",
  tag: "search",
  summary: "Count what a saved query finds",
  description:
    "Counts by tag, type, developer and publisher, and the range of prices, as they are now. A country that is in no region counts as `US`.",
  isRegional: true,
  cost: 40,
  input: zCountFacetsInput,
  output: zCountFacetsOutput,
  resolve: async ({ ctx, input: { id, country } }) => {
    const region = resolveRegion(ctx, country);
    const facets = await callUpstream(ctx, "search.CountFacets", (options) =>
      ctx.clients.search.countFacets({ queryId: id, region }, options),
    );
    const minPrice = integerOf(facets.minPrice);
    const maxPrice = integerOf(facets.maxPrice);
    return {
      tagCounts: facets.tagCounts.map(facetCountOf),
      offerTypeCounts: facets.offerTypeCounts.map(facetCountOf),
      total: Number(facets.totalSize),
      developer: facets.developerCounts.map(facetCountOf),
      publisher: facets.publisherCounts.map(facetCountOf),
      priceRange: {
        minPrice,
        maxPrice,
        currency: minPrice === null ? null : (currencyOf(region) ?? null),
      },
    };
  },
});

function facetCountOf({ key, count }: Bucket) {
  return { _id: key, count: Number(count) };
}
