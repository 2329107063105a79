import { create } from "@bufbuild/protobuf";
import { OfferAggregationsSchema } from "@storefront/contracts/search/v1/search_service";
import { findOfferPage } from "../../../compose/find-offer-page.ts";
import { resolveRegion } from "../../../compose/resolve-country.ts";
import { searchExample, searchParameters } from "../../../schemas/offer-search.ts";
import { aggregationsOf } from "../../../shape/aggregations.ts";
import { offerQueryOf } from "../../../shape/offer-query.ts";
import { operation } from "../../operation.ts";
import { zSearchOffersInput, zSearchOffersOutput } from "./search-offers.schema.ts";

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
  cost: 40,
  input: zSearchOffersInput,
  output: zSearchOffersOutput,
  keptAs: (answer) => ({ ...answer, meta: { ...answer.meta, cached: true } }),
  resolve: async ({ ctx, input }) => {
    const { country, locale, page, limit, aggregations: isCounted, ...body } = input;
    const region = resolveRegion(ctx, country);
    const query = offerQueryOf(body);
    const [{ found, offers }, aggregations] = await Promise.all([
      findOfferPage(ctx, { query, region, locale, page, limit }),
      isCounted ? ctx.aggregations.find(ctx, query, region) : create(OfferAggregationsSchema),
    ]);
    return {
      total: Number(found.totalSize),
      offers,
      page,
      limit,
      aggregations: aggregationsOf(aggregations),
      meta: { ms: Math.round(found.engineMs), timed_out: found.timedOut, cached: false },
    };
  },
});
