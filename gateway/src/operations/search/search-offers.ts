import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  OfferAggregation,
  OfferAggregationsSchema,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { SearchOffersResponse } from "@storefront/contracts/search/v1/search_service";
import type { Region } from "@storefront/domain/identifiers";
import { z } from "zod";
import { findOfferPage } from "../../compose/find-offer-page.ts";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import { publicErrorOf } from "../../errors/public-error.ts";
import { aggregationsOf, facets, zAggregations } from "../../records/aggregations.ts";
import type { Aggregations } from "../../records/aggregations.ts";
import { zFoundOffer } from "../../records/found-offer.ts";
import { zCount, zList, zObject, zString } from "../../records/members.ts";
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

export const zFacetQuery = z
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
      "Narrows a facet to the first 250 values that contain a text. Without `aggregations`, nothing else is counted. 503 while the search service is of a release that does not support it.",
  });

type FacetQuery = z.output<typeof zFacetQuery>;

/** The filters that take values of counts. */
const filterOf = {
  [OfferAggregation.OFFER_TYPES]: "offerType",
  [OfferAggregation.TAGS]: "tags",
  [OfferAggregation.TECHNOLOGIES]: "technologies",
  [OfferAggregation.DEVELOPERS]: "developerDisplayName",
  [OfferAggregation.PUBLISHERS]: "publisherDisplayName",
  [OfferAggregation.SELLERS]: "seller",
} as const;

const zUnknownValue = zObject("UnknownValue", "A value of a filter that nothing has.", {
  filter: z
    .enum(Object.values(filterOf))
    .meta({ description: "The member of the body.", example: "tags" }),
  value: zString("The value.", "Competitive"),
  nearest: zList(
    zObject("NearValue", "A value that offers have.", {
      id: zString("What the filter takes, where that is not the name.", "1106").optional(),
      name: zString("The value, or its name.", "Competitive"),
    }),
    "What may have been meant, nearest first; at most five.",
  ),
});

type UnknownValue = z.output<typeof zUnknownValue>;

const zNextPage = z.string().nullable().meta({
  description:
    "The `cursor` of the next page; null at the end. There is no limit of depth, and an offer whose position in the order does not change is on exactly one page.",
  example: "WyJxM1o4dlhQYTkxTHciLC0xOTk5LCIwIiw5LFsiY2FsbHVuYSJdXQ",
});

export const zSearchOffersOutput = zObject(
  "OfferSearchPage",
  "A page of found offers, and counts over all of them.",
  {
    total: offerPageShape.total,
    offers: zList(zFoundOffer, "Those of the page that still exist, each with its price."),
    page: offerPageShape.page,
    limit: offerPageShape.limit,
    aggregations: zAggregations,
    next: zNextPage,
    meta: zObject("SearchMeta", "How the response was made.", {
      ms: zCount("Milliseconds that the search engine took.", 4),
      timed_out: z
        .boolean()
        .meta({ description: "The engine stopped before it had seen everything." }),
      cached: z.boolean().meta({ description: "The response was cached." }),
      unknown: z
        .array(zUnknownValue)
        .optional()
        .meta({ description: "Values of filters that nothing has; absent when all are known." }),
    }),
  },
);

export const zSearchOffersInput = zOfferSearchInput.safeExtend({
  cursor: z.string("must be a text").min(1, "must not be empty").optional().meta({
    description:
      "The `next` of an earlier response to the same filter, sort and country; `limit` may differ. Not with `page`.",
    example: "WyJxM1o4dlhQYTkxTHciLC0xOTk5LCIwIiw5LFsiY2FsbHVuYSJdXQ",
  }),
  aggregations: zSwitch(
    "Whether to count over all pages. Without it `aggregations` is empty, but for what `facetQuery` asks for: for another page, or another order, of what was counted before.",
    true,
  ),
  disjunctiveAggregations: zSwitch(
    "Whether `offerType`, `developer`, `publisher` and `seller` are counted without their own filter, so that another value can be chosen, and `price_stats` without the bounds of the price. `tags` and `technologies`, whose filters require all values, are counted over the result.",
  ),
  facetQuery: zFacetQuery.optional(),
  highlight: zSwitch(
    "Whether found offers have `highlights`: what the words of `title` matched in their titles and descriptions. Without words there are none.",
  ),
});

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
  exclusive: ["cursor", "page"],
  input: zSearchOffersInput,
  output: zSearchOffersOutput,
  cachedAs: (output) => ({ ...output, meta: { ...output.meta, cached: true } }),
  resolve: ({ ctx, input }) => searchPage(ctx, input),
});

/** A page of found offers with the counts that the input asks for. */
export async function searchPage(
  ctx: RequestContext,
  input: z.output<typeof zSearchOffersInput>,
): Promise<z.output<typeof zSearchOffersOutput>> {
  const { country, locale, lows, page, cursor, limit, highlight, facetQuery, ...rest } = input;
  const { aggregations: isCounted, disjunctiveAggregations: isDisjunctive, ...body } = rest;
  const { region } = resolveAnyCountry(ctx, country);
  const query = offerQueryOf(body);
  const [{ found, offers, next }, all, facet] = await Promise.all([
    findOfferPage(ctx, { query, region, locale, lows, highlight, page, cursor, limit }),
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
    next,
    meta: { ...searchMetaOf(found), ...(await unknownIn(ctx, found)) },
  };
}

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
  Omit<z.output<typeof zSearchOffersOutput>["meta"], "unknown">,
  SearchOffersResponse,
  | "offerIds"
  | "totalSize"
  | "aggregations"
  | "engineMs"
  | "timedOut"
  | "facetNarrowed"
  | "lowestFiltered"
  | "ratingApplied"
  | "highlights"
  | "unknownValues"
  | "nextCursor"
  | "resumed"
>;

/** Values that nothing has, but for tags that have a record; empty when there are none. */
async function unknownIn(
  ctx: RequestContext,
  { unknownValues }: SearchOffersResponse,
): Promise<{ unknown?: UnknownValue[] }> {
  const isTag = ({ filter }: { filter: OfferAggregation }) => filter === OfferAggregation.TAGS;
  const recorded = unknownValues.some(isTag) ? await recordedTags(ctx) : undefined;
  const unknown = unknownValues.flatMap((each): UnknownValue[] => {
    const filter = Object.entries(filterOf).find(([key]) => Number(key) === each.filter)?.[1];
    if (filter === undefined || (isTag(each) && recorded?.has(each.value) !== false)) return [];
    const nearest = each.nearest.map(({ id, name }) => ({ ...(id !== undefined && { id }), name }));
    return [{ filter, value: each.value, nearest }];
  });
  return unknown.length === 0 ? {} : { unknown };
}

/** Undefined where the catalog does not say: a search does without them. */
async function recordedTags(ctx: RequestContext): Promise<ReadonlySet<string> | undefined> {
  try {
    const { tags } = await ctx.clients.catalog.listTags(ctx, {});
    return new Set(tags.map(({ id }) => id));
  } catch (error) {
    if (publicErrorOf(error).error === "INTERNAL") throw error;
    return undefined;
  }
}

function searchMetaOf({ engineMs, timedOut }: SearchOffersResponse): SearchMeta {
  return { ms: Math.round(engineMs), timed_out: timedOut, cached: false };
}
