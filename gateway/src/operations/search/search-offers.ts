import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { OfferAggregationsSchema } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { SearchOffersResponse } from "@storefront/contracts/search/v1/search_service";
import type { Region } from "@storefront/domain/identifiers";
import { z } from "zod";
import { findOfferPage } from "../../compose/find-offer-page.ts";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import { aggregationsOf, facets, zAggregations } from "../../records/aggregations.ts";
import type { Aggregations } from "../../records/aggregations.ts";
import { zFoundOffer } from "../../records/found-offer.ts";
import { zCount, zList, zObject } from "../../records/members.ts";
import { offerQueryOf, offerQueryShape } from "../../records/offer-query.ts";
import type { Mapped } from "../../records/mapped-fields.ts";
import { pageEchoShape, pagingShape, withinSearchReach } from "../../schemas/paging.ts";
import {
  zCountry,
  zLocale,
  zLows,
  zOneOf,
  zSwitch,
  zTrimmedText,
  zWholeNumber,
} from "../../schemas/parameters.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { operation } from "../operation.ts";

/** The query parameters of a search; the other members of its input are the body. */
export const searchParameters = ["country", "locale", "lows"] as const;

export const searchExample = {
  offerType: ["BASE_GAME", "DLC"],
  onSale: true,
  price: { max: 1999 },
  sortBy: "discountPercent",
  limit: 20,
};

export const zOfferSearchInput = z
  .object({
    country: zCountry,
    locale: zLocale,
    lows: zLows,
    ...offerQueryShape,
    page: pagingShape(10, 100).page,
    limit: zWholeNumber(1, 100)
      .default(10)
      .meta({ description: "Most offers on a page.", example: 10 }),
  })
  .check(withinSearchReach);

/** Members of every page of found offers. */
export const offerPageShape = {
  ...pageEchoShape,
  total: zCount("Number of found offers on all pages.", 42),
};

const zFacetQuery = z
  .object(
    {
      facet: zOneOf(Object.keys(facets) as (keyof typeof facets)[]).meta({
        description: "The facet, as in `aggregations`.",
        example: "developer",
      }),
      text: zTrimmedText("text", 100, {
        description:
          "What is typed: each of its words is found within a word of a value, or as the beginning of several that are written together; case, accents and punctuation do not matter.",
        example: "harb",
      }),
    },
    "must be an object with facet and text",
  )
  .meta({
    id: "FacetQuery",
    description:
      "Narrows a facet to the values that contain a text, of which the first 250 are given. It is answered also without `aggregations`, and then alone. 503 while the search service is too old for it.",
  });

type FacetQuery = z.output<typeof zFacetQuery>;

const zSearchOffersOutput = zObject(
  "OfferSearchPage",
  "A page of found offers, and counts over all of them.",
  {
    total: offerPageShape.total,
    offers: zList(zFoundOffer, "Those of the page that still exist, each with its price."),
    page: offerPageShape.page,
    limit: offerPageShape.limit,
    aggregations: zAggregations,
    meta: zObject("SearchMeta", "How the answer came about.", {
      ms: zCount("Milliseconds that the search engine took.", 4),
      timed_out: z
        .boolean()
        .meta({ description: "The engine stopped before it had seen everything." }),
      cached: z.boolean().meta({ description: "The answer came from a cache." }),
    }),
  },
);

export const searchOffers = operation({
  method: "POST",
  path: "/search/v2/search",
  operationId: "searchOffers",
  tag: "search",
  summary: "Search offers",
  description:
    "Offers by filters and text, sorted, each with its price, and counts over all that are found. A country that is in no region counts as `US`.",
  query: searchParameters,
  bodyExample: searchExample,
  isRegional: true,
  takesAnyCountry: true,
  cost: 40,
  input: zOfferSearchInput.safeExtend({
    aggregations: zSwitch(
      "Whether to count over all pages. Without it `aggregations` is empty, but for what `facetQuery` asks for: for another page, or another order, of what was counted before.",
      true,
    ),
    disjunctiveAggregations: zSwitch(
      "Whether `offerType`, `developer`, `publisher` and `seller` are counted as though their own filter were not set, so that another value can be chosen, and `price_stats` without the bounds of the price. `tags` and `technologies`, of which a filter takes all, are counted over the found offers, which another one narrows.",
    ),
    facetQuery: zFacetQuery.optional(),
    highlight: zSwitch(
      "Whether found offers have `highlights`: what the words of `title` matched in their titles and descriptions. Without words there are none.",
    ),
  }),
  output: zSearchOffersOutput,
  cachedAs: (output) => ({ ...output, meta: { ...output.meta, cached: true } }),
  resolve: async ({ ctx, input }) => {
    const { country, locale, lows, page, limit, highlight, facetQuery, ...rest } = input;
    const { aggregations: isCounted, disjunctiveAggregations: isDisjunctive, ...body } = rest;
    const { region } = resolveAnyCountry(ctx, country);
    const query = offerQueryOf(body);
    const [{ found, offers }, all, facet] = await Promise.all([
      findOfferPage(ctx, { query, region, locale, lows, highlight, page, limit }),
      isCounted
        ? ctx.aggregations.find(ctx, query, region, { isDisjunctive })
        : create(OfferAggregationsSchema),
      facetQuery && searchFacet(ctx, query, region, facetQuery, isDisjunctive),
    ]);
    return {
      total: Number(found.totalSize),
      offers,
      page,
      limit,
      aggregations: { ...aggregationsOf(all), ...facet },
      meta: searchMetaOf(found),
    };
  },
});

/** Values of a facet that contain a text, as the member of the aggregations that they replace. */
async function searchFacet(
  ctx: RequestContext,
  query: MessageInitShape<typeof OfferQuerySchema>,
  region: Region,
  { facet, text }: FacetQuery,
  isDisjunctive: boolean,
): Promise<Partial<Aggregations>> {
  const found = await ctx.aggregations.find(ctx, query, region, {
    isDisjunctive,
    facetQuery: { facet: facets[facet], text },
  });
  return { [facet]: aggregationsOf(found)[facet] };
}

type SearchMeta = Mapped<
  z.output<typeof zSearchOffersOutput>["meta"],
  SearchOffersResponse,
  | "offerIds"
  | "totalSize"
  | "aggregations"
  | "engineMs"
  | "timedOut"
  | "facetNarrowed"
  | "lowestFiltered"
  | "highlights"
>;

function searchMetaOf({ engineMs, timedOut }: SearchOffersResponse): SearchMeta {
  return { ms: Math.round(engineMs), timed_out: timedOut, cached: false };
}
