import { z } from "zod";
import type { ListedBody } from "../../http/representations.ts";
import { filterParameters } from "../../records/offer-filters.ts";
import { offerOrderShape } from "../../records/offer-query.ts";
import { withinSearchReach } from "../../schemas/paging.ts";
import { operation } from "../operation.ts";
import {
  searchPage,
  zFacetQuery,
  zSearchOffersInput,
  zSearchOffersOutput,
} from "./search-offers.ts";

const { country, locale, lows, page, cursor, limit, ...rest } = zSearchOffersInput.shape;
const { aggregations, disjunctiveAggregations, highlight } = rest;
const { facet, text } = zFacetQuery.shape;

const zFindOffersInput = z
  .object({
    country,
    locale,
    lows,
    ...filterParameters,
    ...offerOrderShape,
    page,
    cursor,
    limit,
    aggregations,
    disjunctiveAggregations,
    "facetQuery.facet": facet.optional(),
    "facetQuery.text": text.optional(),
    highlight,
  })
  .check(withinSearchReach)
  .refine((input) => Boolean(input["facetQuery.facet"]) === Boolean(input["facetQuery.text"]), {
    path: ["facetQuery.text"],
    error: "must be given with facetQuery.facet, and not without it",
  });

/** The members of `meta` that say how a response came about; no text of a record has such a quotation mark. */
const making = /("meta":\{)"ms":\d+,("timed_out":\w+),"cached":\w+/;

const listed: ListedBody = {
  lasting: (body) => body.replace(making, "$1$2"),
  nextIn: (body) => /"next":"([\w-]+)","meta":\{"ms":/.exec(body)?.[1],
};

/** The search by its URL, which can be linked, bookmarked and cached by any HTTP cache. */
export const findOffers = operation({
  path: "/search",
  operationId: "findOffers",
  tag: "search",
  summary: "Search offers by URL",
  description:
    "As `searchOffers`, with the members of its body as parameters; those of its objects are written with a dot, and lists repeat the parameter, as in `tags=1216&tags=1370`. `Link` names the URL of the page that follows.",
  isRegional: true,
  takesAnyCountry: true,
  cost: 40,
  exclusive: ["cursor", "page"],
  input: zFindOffersInput,
  output: zSearchOffersOutput,
  listed,
  cachedAs: (output) => ({ ...output, meta: { ...output.meta, cached: true } }),
  resolve: async ({ ctx, input }) => {
    const { "price.min": min, "price.max": max, ...others } = input;
    const { "facetQuery.facet": of, "facetQuery.text": contained, ...search } = others;
    return await searchPage(ctx, {
      ...search,
      price: min === undefined && max === undefined ? undefined : { min, max },
      facetQuery: of && contained ? { facet: of, text: contained } : undefined,
    });
  },
});
