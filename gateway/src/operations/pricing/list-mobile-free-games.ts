import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import type { CurrentGiveaway } from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId } from "@storefront/identifiers";
import { z } from "zod";
import { findShownPrices } from "../../compose/find-price.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { zMobileFreeGame, giveawayOf } from "../../records/giveaway.ts";
import type { MobileFreeGame } from "../../records/giveaway.ts";
import { zCountry, zLocale, zLows } from "../../schemas/parameters.ts";
import type { Shows } from "../../records/shows.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const listMobileFreeGames = operation({
  method: "GET",
  path: "/free-games/mobile",
  operationId: "listMobileFreeGames",
  tag: "free games",
  summary: "List current mobile giveaways",
  description:
    "Giveaways on Android and iOS that hold now, newest start first, with their offers. One whose offer is unknown is left out.",
  isRegional: true,
  cost: 3,
  input: z.object({ country: zCountry, locale: zLocale, lows: zLows }),
  failures: [404],
  output: z.array(zMobileFreeGame),
  resolve: async ({ ctx, input: { country, locale, lows } }) => {
    const { region } = resolveCountry(ctx, country);
    const { currentGiveaways } = await callUpstream(
      ctx,
      "pricing.ListCurrentGiveaways",
      (options) =>
        ctx.clients.pricing.listCurrentGiveaways({ platforms: ["android", "ios"] }, options),
    );
    const ids = currentGiveaways.flatMap(({ giveaway }) => giveaway?.offerId ?? []);
    const offerIds = [...new Set(ids)].map(asOfferId);
    const finding = ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds);
    const [offers, prices] = await Promise.all([
      finding,
      findShownPrices(ctx, offerIds, region, lows ? finding : undefined),
    ]);
    const places = new Map<string, number>(offerIds.map((id, index) => [id, index]));
    return currentGiveaways.flatMap((current) => {
      const place = places.get(current.giveaway?.offerId ?? "") ?? -1;
      const found = offers[place];
      if (current.giveaway === undefined || found === undefined) return [];
      return {
        ...localiseOffer(found, locale),
        giveaway: currentGiveawayOf(current, current.giveaway, found.offer),
        price: prices[place] ?? null,
      };
    });
  },
});

type ShownGiveaway = Shows<MobileFreeGame["giveaway"], CurrentGiveaway, "giveaway">;

/** A giveaway that is on, and the earlier ones of its offer, newest first. */
function currentGiveawayOf(
  { historical }: CurrentGiveaway,
  giveaway: Giveaway,
  offer: Offer,
): ShownGiveaway {
  return {
    ...giveawayOf(giveaway, offer),
    historical: historical.map((earlier) => giveawayOf(earlier, offer)),
  };
}
