import { OfferAggregation } from "@storefront/contracts/search/v1/search_service";
import { hydrateOffers } from "../../../compose/hydrate-offers.ts";
import { resolveRegion } from "../../../compose/resolve-country.ts";
import { unavailable } from "../../../errors/public-error.ts";
import { searchParameters } from "../../../schemas/offer-search.ts";
import { aggregationsOf } from "../../../shape/aggregations.ts";
import { offerQueryOf } from "../../../shape/offer-query.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import {
  zSearchOffersByMeaningInput,
  zSearchOffersByMeaningOutput,
} from "./search-offers-by-meaning.schema.ts";

const allAggregations = [
  OfferAggregation.TECHNOLOGIES,
  OfferAggregation.OFFER_TYPES,
  OfferAggregation.TAGS,
  OfferAggregation.DEVELOPERS,
  OfferAggregation.PUBLISHERS,
  OfferAggregation.SELLERS,
  OfferAggregation.PRICE_STATS,
];

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
    const { country, locale, query, topK, aggregations: isCounted, ...filters } = input;
    const region = resolveRegion(ctx, country);
    const hasFilters = Object.keys(filters).length > 0;
    const selection = hasFilters ? { query: offerQueryOf(filters) } : {};
    const aggregations = isCounted ? allAggregations : [];
    const request = { text: query, pageSize: topK, region, aggregations, ...selection };
    const found = await callUpstream(ctx, "search.SearchOffersByMeaning", (options) =>
      ctx.clients.search.searchOffersByMeaning(request, options),
    );
    // While two releases run, the older one may have ranked what was to be left out.
    if (hasFilters && !found.filtered) {
      throw unavailable("Searches by meaning take no filters yet; try again later.");
    }
    if (isCounted && found.aggregations === undefined) {
      throw unavailable("Searches by meaning count nothing yet; try again later.");
    }
    const offerIds = found.matches.map(({ offerId }) => offerId);
    const offers = await hydrateOffers(ctx, offerIds, locale, region);
    const matches = found.matches.flatMap(({ score }, index) => {
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
