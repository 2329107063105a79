import { asOfferId } from "@storefront/identifiers";
import { z } from "zod";
import { findShownPrices } from "../../compose/find-price.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { zFeaturedOffer } from "../../schemas/offer.ts";
import { zCountry, zLocale, zLows } from "../../schemas/parameters.ts";
import { pricePointOf } from "../../shape/price-point.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

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
  input: z.object({ country: zCountry, locale: zLocale, lows: zLows }),
  output: z.array(zFeaturedOffer),
  resolve: async ({ ctx, input: { country, locale, lows } }) => {
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
    const offerIds = prices.map(({ offerId }) => asOfferId(offerId));
    const finding = ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds);
    const [offers, shown] = await Promise.all([
      finding,
      lows
        ? findShownPrices(ctx, offerIds, region, finding)
        : prices.map((price) => pricePointOf(price)),
    ]);
    return prices.flatMap(({ offerId }, index) => {
      const found = offers[index];
      const position = positions.get(offerId);
      if (found === undefined || position === undefined) return [];
      return [{ ...localiseOffer(found, locale), price: shown[index] ?? null, position }];
    });
  },
});
