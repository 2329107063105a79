import { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import type { MeaningMatch } from "@storefront/contracts/search/v1/search_service";
import { asOfferId } from "@storefront/domain/identifiers";
import { z } from "zod";
import { hydrateOffers } from "../../compose/hydrate-offers.ts";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import { zAggregations, aggregationsOf } from "../../records/aggregations.ts";
import { zCount, zList, zObject, zString } from "../../records/members.ts";
import { offerFilterShape } from "../../records/offer-filters.ts";
import { offerQueryOf } from "../../records/offer-query.ts";
import { zPricedOffer } from "../../records/offer.ts";
import type { Mapped } from "../../records/mapped-fields.ts";
import {
  zCountry,
  zLocale,
  zLows,
  zSwitch,
  zTrimmedText,
  zWholeNumber,
} from "../../schemas/parameters.ts";
import { requireRatings } from "../../compose/find-offer-page.ts";
import { unsupportedBySearch } from "../../upstream/upstream-error.ts";
import { operation } from "../operation.ts";
import { searchParameters } from "./search-offers.ts";

const zSearchOffersByMeaningInput = z.object({
  country: zCountry,
  locale: zLocale,
  lows: zLows,
  query: zTrimmedText("text", 500, {
    description: "What is looked for, in the words of a person.",
    example: "a calm game about running a harbour",
  }),
  topK: zWholeNumber(1, 50).default(10).meta({ description: "Most matches.", example: 10 }),
  aggregations: zSwitch("Whether to count over the matches in the response."),
  ...offerFilterShape,
});

const zSearchOffersByMeaningOutput = zObject(
  "MeaningMatches",
  "Offers by how near their meaning is, best first.",
  {
    query: zString("The query, trimmed.", "a calm game about running a harbour"),
    count: zCount("Number of matches in this response.", 1),
    matches: zList(
      zObject("MeaningMatch", "An offer and how near it is.", {
        score: z.number().min(0).max(1).meta({
          description: "Higher is nearer; comparable only within one response.",
          example: 0.82,
        }),
        offer: zPricedOffer,
      }),
      "The offers.",
    ),
    aggregations: zAggregations
      .meta({
        description:
          "Counts over the matches in this response, not over all offers that pass the filters. Only when `aggregations` is true.",
      })
      .optional(),
  },
);

type ShownMatch = Mapped<
  z.output<typeof zSearchOffersByMeaningOutput>["matches"][number],
  MeaningMatch,
  "offerId"
>;

const allAggregations = Object.values(OfferAggregation).filter(
  (value) => value !== OfferAggregation.UNSPECIFIED && value !== OfferAggregation.NONE,
);

export const searchOffersByMeaning = operation({
  method: "POST",
  path: "/search/natural-language",
  operationId: "searchOffersByMeaning",
  tag: "search",
  summary: "Search offers by meaning",
  description:
    "Offers by how near they are to what a text means, best first, each with its price; with filters only those that they find; with `aggregations` counts over these matches. 503 when no embedding is configured, 502 when the embedding backend fails. A country that is in no region counts as `US`.",
  storable: false,
  query: searchParameters,
  cost: 40,
  input: zSearchOffersByMeaningInput,
  output: zSearchOffersByMeaningOutput,
  resolve: async ({ ctx, input }) => {
    const { country, locale, lows, query, topK, aggregations: isCounted, ...filters } = input;
    const { region } = resolveAnyCountry(ctx, country);
    const hasFilters = Object.keys(filters).length > 0;
    const filter = offerQueryOf(filters);
    const selection = hasFilters ? { query: filter } : {};
    const aggregations = isCounted ? allAggregations : [];
    const request = { text: query, pageSize: topK, region, aggregations, ...selection };
    const found = await ctx.clients.search.searchOffersByMeaning(ctx, request);
    // While two releases run, the older one ignores filters.
    if (hasFilters && !found.filtered) {
      throw unsupportedBySearch("filters of a search by meaning");
    }
    requireRatings(filter, found);
    if (isCounted && found.aggregations === undefined) {
      throw unsupportedBySearch("counts of a search by meaning");
    }
    const offerIds = found.matches.map(({ offerId }) => asOfferId(offerId));
    const offers = await hydrateOffers(ctx, offerIds, locale, region, lows);
    const matches = found.matches.flatMap(({ score }, index): ShownMatch[] => {
      const offer = offers[index];
      return offer === undefined ? [] : [{ score, offer }];
    });
    return {
      query,
      count: matches.length,
      matches,
      ...(found.aggregations && { aggregations: aggregationsOf(found.aggregations) }),
    };
  },
});
