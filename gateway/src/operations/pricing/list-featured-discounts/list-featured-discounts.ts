import { findOffers } from "../../../compose/find-offer.ts";
import { localiseOffer } from "../../../compose/localise-offer.ts";
import { resolveCountry } from "../../../compose/resolve-country.ts";
import { pricePointOf } from "../../../shape/price-point.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import {
  zListFeaturedDiscountsInput,
  zListFeaturedDiscountsOutput,
} from "./list-featured-discounts.schema.ts";

const featuredMax = 20;
// The contract's cap: every ranked offer may be the only discounted one.
const rankedMax = 10_000;

export const listFeaturedDiscounts = operation({
  method: "GET",
  path: "/offers/featured-discounts",
  operationId: "listFeaturedDiscounts",
  tag: "offers",
  summary: "List featured discounts",
  description: `Base games and DLC that are ranked and discounted in the region, by their best position, at most ${featuredMax}.`,
  isRegional: true,
  cost: 3,
  input: zListFeaturedDiscountsInput,
  output: zListFeaturedDiscountsOutput,
  resolve: async ({ ctx, input: { country, locale } }) => {
    const { region } = resolveCountry(ctx, country);
    const { rankedOffers } = await callUpstream(ctx, "catalog.ListRankedOffers", (options) =>
      ctx.clients.catalog.listRankedOffers(
        { offerTypes: ["BASE_GAME", "DLC"], pageSize: rankedMax },
        options,
      ),
    );
    if (rankedOffers.length === 0) return [];
    const positions = new Map(rankedOffers.map(({ offerId, position }) => [offerId, position]));
    const { prices } = await callUpstream(ctx, "pricing.ListDiscountedPrices", (options) =>
      ctx.clients.pricing.listDiscountedPrices(
        { offerIds: [...positions.keys()], region, pageSize: featuredMax },
        options,
      ),
    );
    const offerIds = prices.map(({ offerId }) => offerId);
    const offers = await findOffers(ctx, offerIds, locale);
    return prices.flatMap((price, index) => {
      const found = offers[index];
      const position = positions.get(price.offerId);
      if (found === undefined || position === undefined) return [];
      return [{ ...localiseOffer(found, locale), price: pricePointOf(price), position }];
    });
  },
});
