import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { asOfferId } from "@storefront/domain/identifiers";
import type { Region } from "@storefront/domain/identifiers";
import { z } from "zod";
import { findShownPrices } from "../../compose/find-price.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { zPricedOffer } from "../../records/offer.ts";
import { pricePointOf } from "../../records/price.ts";
import { zCountry, zLocale, zLows } from "../../schemas/parameters.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { operation } from "../operation.ts";

const featuredMax = 20;
// Usually enough of them are discounted.
const firstRanks = 500;
// The contract's cap: every ranked offer may be the only discounted one.
const rankedMax = 10_000;

const zFeaturedOffer = zPricedOffer
  .extend({
    position: z
      .int()
      .min(1)
      .meta({ description: "Best place in any collection, from 1.", example: 1 }),
  })
  .meta({ id: "FeaturedOffer", description: "A ranked store listing that is discounted." });

export const listFeaturedDiscounts = operation({
  path: "/offers/featured-discounts",
  operationId: "listFeaturedDiscounts",
  tag: "offers",
  summary: "List featured discounts",
  description: `Base games and DLC that are ranked and discounted in the region, by their best position, at most ${featuredMax}.`,
  isRegional: true,
  cost: 10,
  input: z.object({ country: zCountry, locale: zLocale, lows: zLows }),
  failures: [404],
  output: z.array(zFeaturedOffer),
  resolve: async ({ ctx, input: { country, locale, lows } }) => {
    const { region } = resolveCountry(ctx, country);
    const { positions, prices } = await findDiscounted(ctx, region, firstRanks);
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

/** Prices of the first discounted offers among so many ranked ones, or among all if these are too few. */
async function findDiscounted(
  ctx: RequestContext,
  region: Region,
  ranks: number,
): Promise<{ positions: ReadonlyMap<string, number>; prices: OfferPrice[] }> {
  const { rankedOffers } = await ctx.clients.catalog.listRankedOffers(ctx, {
    offerTypes: ["BASE_GAME", "DLC"],
    pageSize: ranks,
  });
  const positions = new Map(rankedOffers.map(({ offerId, position }) => [offerId, position]));
  if (positions.size === 0) return { positions, prices: [] };
  const { prices } = await ctx.clients.pricing.listDiscountedPrices(ctx, {
    offerIds: [...positions.keys()],
    region,
    pageSize: featuredMax,
  });
  const isComplete = prices.length === featuredMax || positions.size < ranks;
  if (isComplete || ranks === rankedMax) return { positions, prices };
  return await findDiscounted(ctx, region, rankedMax);
}
