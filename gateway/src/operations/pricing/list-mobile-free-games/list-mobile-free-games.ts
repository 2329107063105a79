import { findOffers } from "../../../compose/find-offer.ts";
import { findShownPrices } from "../../../compose/find-price.ts";
import { resolveCountry } from "../../../compose/resolve-country.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import {
  zListMobileFreeGamesInput,
  zListMobileFreeGamesOutput,
} from "./list-mobile-free-games.schema.ts";
import { mobileFreeGameOf } from "./mobile-free-game.ts";

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
  input: zListMobileFreeGamesInput,
  output: zListMobileFreeGamesOutput,
  resolve: async ({ ctx, input: { country, locale } }) => {
    const { region } = resolveCountry(ctx, country);
    const { currentGiveaways } = await callUpstream(
      ctx,
      "pricing.ListCurrentGiveaways",
      (options) =>
        ctx.clients.pricing.listCurrentGiveaways({ platforms: ["android", "ios"] }, options),
    );
    const ids = currentGiveaways.flatMap(({ giveaway }) => giveaway?.offerId ?? []);
    const offerIds = [...new Set(ids)];
    const [offers, prices] = await Promise.all([
      findOffers(ctx, offerIds, locale),
      findShownPrices(ctx, offerIds, region),
    ]);
    const places = new Map(offerIds.map((id, index) => [id, index]));
    return currentGiveaways.flatMap(({ giveaway, historical }) => {
      const place = places.get(giveaway?.offerId ?? "") ?? -1;
      const found = offers[place];
      if (giveaway === undefined || found === undefined) return [];
      return mobileFreeGameOf({
        giveaway,
        historical,
        found,
        price: prices[place] ?? null,
        locale,
      });
    });
  },
});
