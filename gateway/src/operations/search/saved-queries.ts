import type { Bucket } from "@storefront/contracts/search/v1/offer_query";
import type { CountFacetsResponse } from "@storefront/contracts/search/v1/search_service";
import type { Region } from "@storefront/domain/identifiers";
import { z } from "zod";
import { findOfferPage, requireRatings } from "../../compose/find-offer-page.ts";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import { integerOf, zCount, zList, zObject, zString, zText } from "../../records/members.ts";
import {
  offerQueryOf,
  offerQueryShape,
  savedQueryOf,
  zSavedQuery,
} from "../../records/offer-query.ts";
import { zPricedOffer } from "../../records/offer.ts";
import { zCurrencyDecimals } from "../../records/price.ts";
import type { Mapped } from "../../records/mapped-fields.ts";
import { zCountry, zQueryId } from "../../schemas/parameters.ts";
import { currentRegions } from "../../regions/current-regions.ts";
import { requireMember } from "../../upstream/upstream-error.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { mutation, operation } from "../operation.ts";
import type { Deprecation, OperationDefinition } from "../operation.ts";
import {
  offerPageShape,
  searchExample,
  searchParameters,
  zOfferSearchInput,
} from "./search-offers.ts";

/** Of operations that `/queries` replaces. */
export const replacedByQueries = {
  since: "2026-11-26",
  sunset: "2027-11-26",
  successor: "/queries",
} satisfies Deprecation;

const zSavedQueryId = zString(
  "Id of the saved query: 32 hexadecimal digits, the same for all bodies that ask for the same.",
  "9e107d9d372bb6826bd81d3542a419d6",
);

const zSaveQueryOutput = zObject(
  "SavedQueryPage",
  "A page of found offers, and the id of the query.",
  {
    elements: zList(zPricedOffer, "Those of the page that still exist, each with its price."),
    ...offerPageShape,
    query: zSavedQueryId,
  },
);

export const saveQuery = mutation({
  method: "POST",
  path: "/search",
  operationId: "saveQuery",
  tag: "search",
  summary: "Search offers and save the query",
  description:
    "Legacy: to search, use `searchOffers`, which also counts; to save a query, use `createQuery`. This search saves the query for `getSavedQuery` and `countFacets`, under an id that is the same for equivalent bodies. Its canonical form may have at most 8 KiB, and it is stored for 90 days after its last use. A country in no region counts as `US`.",
  deprecated: { ...replacedByQueries, since: "2026-11-21" },
  bodyExample: searchExample,
  query: searchParameters,
  cost: 10,
  input: zOfferSearchInput,
  output: zSaveQueryOutput,
  resolve: async ({ ctx, input }) => {
    const { country, locale, lows, page, limit, ...body } = input;
    const { region } = resolveAnyCountry(ctx, country);
    const query = offerQueryOf(body);
    const [{ queryId }, { found, offers }] = await Promise.all([
      ctx.clients.search.saveQuery(ctx, { query }),
      findOfferPage(ctx, { query, region, locale, lows, page, limit }),
    ]);
    return { elements: offers, page, limit, total: Number(found.totalSize), query: queryId };
  },
});

export const createQuery = mutation({
  method: "POST",
  path: "/queries",
  operationId: "createQuery",
  tag: "search",
  summary: "Save a query",
  description:
    "Saves a search under an id, to count and follow its result. Equivalent bodies have the same id, with status 200 instead of 201. The canonical form may have at most 8 KiB. A query is stored for 90 days after its last use.",
  bodyExample: { offerType: ["BASE_GAME"], onSale: true, price: { max: 1999 } },
  cost: 10,
  mayCreate: true,
  refused: ["page", "limit", "cursor"],
  input: z.object(offerQueryShape),
  output: zObject("CreatedQuery", "A saved query.", { id: zSavedQueryId }),
  resolve: async ({ ctx, input }) => {
    const query = offerQueryOf(input);
    const saved = await ctx.clients.search.saveQuery(ctx, { query });
    requireRatings(query, saved);
    ctx.isCreated = saved.isNew;
    return { id: saved.queryId };
  },
});

async function findSavedQuery(ctx: RequestContext, queryId: string) {
  const name = "search.GetSavedQuery";
  const { query } = await ctx.clients.search.getSavedQuery(ctx, { queryId });
  return savedQueryOf(requireMember(query, name));
}

export const getQuery = operation({
  path: "/queries/{id}",
  operationId: "getQuery",
  tag: "search",
  summary: "Get a saved query",
  description: "The canonical body of the searches that the id stands for.",
  input: z.object({ id: zQueryId }),
  failures: [404],
  output: zObject("Query", "A saved query.", { id: zSavedQueryId, query: zSavedQuery }),
  resolve: async ({ ctx, input: { id } }) => ({ id, query: await findSavedQuery(ctx, id) }),
});

export const getSavedQuery = operation({
  path: "/search/{id}",
  operationId: "getSavedQuery",
  tag: "search",
  summary: "Get the body of a saved query",
  description: "Legacy: use `getQuery`. The canonical body of the searches that the id stands for.",
  deprecated: replacedByQueries,
  input: z.object({ id: zQueryId }),
  failures: [404],
  output: zSavedQuery,
  resolve: ({ ctx, input }) => findSavedQuery(ctx, input.id),
});

const zCounts = z.array(
  zObject("FacetCount", "A value and how many of the found offers have it.", {
    _id: zString("The value.", "1216"),
    count: zCount("Number of offers.", 17),
  }),
);

const zCountFacetsOutput = zObject("FacetCounts", "Counts over all found offers, most first.", {
  tagCounts: zCounts.meta({ description: "By tag id." }),
  offerTypeCounts: zCounts.meta({ description: "By offer type." }),
  total: zCount("Number of found offers.", 42),
  developer: zCounts.meta({ description: "By name of the developer." }),
  publisher: zCounts.meta({ description: "By name of the publisher." }),
  priceRange: zObject(
    "FacetPriceRange",
    "What the found offers cost in the region; nulls when none has a price there.",
    {
      minPrice: z.int().nullable().meta({ description: "Lowest, in minor units.", example: 499 }),
      maxPrice: z.int().nullable().meta({ description: "Highest, in minor units.", example: 5999 }),
      currency: zText("ISO 4217.", "USD"),
      currencyDecimals: zCurrencyDecimals.nullable(),
    },
  ),
});

const zCountInput = z.object({ id: zQueryId, country: zCountry });

const counting: Omit<
  OperationDefinition<typeof zCountInput, typeof zCountFacetsOutput>,
  "path" | "operationId"
> = {
  tag: "search",
  summary: "Count what a saved query finds",
  description:
    "Counts by tag, type, developer and publisher, and the range of prices, as they are now. A country that is in no region counts as `US`.",
  isRegional: true,
  takesAnyCountry: true,
  cost: 40,
  input: zCountInput,
  failures: [404],
  output: zCountFacetsOutput,
  resolve: async ({ ctx, input: { id, country } }) => {
    const { region } = resolveAnyCountry(ctx, country);
    const facets = await ctx.clients.search.countFacets(ctx, { queryId: id, region });
    return facetCountsOf(facets, region);
  },
};

export const countQuery = operation({
  ...counting,
  path: "/queries/{id}/count",
  operationId: "countQuery",
});

/** The same under the path that the contract has. */
export const countFacets = operation({
  ...counting,
  path: "/search/{id}/count",
  operationId: "countFacets",
});

type FacetCounts = Mapped<
  z.output<typeof zCountFacetsOutput>,
  CountFacetsResponse,
  | "tagCounts.id"
  | "offerTypeCounts.id"
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
  const priced = minPrice === null ? undefined : currentRegions.table.get(region);
  return {
    tagCounts: facets.tagCounts.map(facetCountOf),
    offerTypeCounts: facets.offerTypeCounts.map(facetCountOf),
    total: Number(facets.totalSize),
    developer: facets.developerCounts.map(facetCountOf),
    publisher: facets.publisherCounts.map(facetCountOf),
    priceRange: {
      minPrice,
      maxPrice: integerOf(facets.maxPrice),
      currency: priced?.currencyCode ?? null,
      currencyDecimals: priced?.currencyDecimals ?? null,
    },
  };
}

function facetCountOf({ key, count }: Bucket) {
  return { _id: key, count: Number(count) };
}
