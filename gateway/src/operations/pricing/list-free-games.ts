import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId } from "@storefront/identifiers";
import { z } from "zod";
import { hydrateOffers } from "../../compose/hydrate-offers.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { zFreeGame, giveawayOf } from "../../records/giveaway.ts";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../schemas/paging.ts";
import { zCountry, zLocale, zLows } from "../../schemas/parameters.ts";
import { storedPlatforms, zPlatforms } from "../../schemas/platforms.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const states = {
  current: GiveawayState.CURRENT,
  upcoming: GiveawayState.UPCOMING,
  past: GiveawayState.PAST,
};

const zListFreeGamesOutput = z
  .object({
    elements: z.array(zFreeGame).meta({ description: "The giveaways of the page." }),
    ...pageEchoShape,
    total: z.int().min(0).meta({ description: "Number of giveaways on all pages.", example: 12 }),
  })
  .meta({ id: "FreeGamePage", description: "A page of giveaways with their offers." });

export const listFreeGames = operation({
  method: "GET",
  path: "/free-games",
  operationId: "listFreeGames",
  tag: "free games",
  summary: "List giveaways",
  description:
    "Giveaways on every platform with their offers: those that hold now, nearest end first; those to come, nearest start first; or those that are over, latest end first.",
  isRegional: true,
  cost: 3,
  input: z
    .object({
      state: z
        .enum(["current", "upcoming", "past"], "must be one of current, upcoming, past")
        .default("current")
        .meta({
          description:
            "What they are now. Both ends of a giveaway belong to it, and one without an end goes on. One without a start is `past` once its end is over, and nothing before.",
          example: "upcoming",
        }),
      platform: zPlatforms,
      country: zCountry,
      locale: zLocale,
      lows: zLows,
      ...pagingShape(20, 100),
    })
    .refine(isWithinReach, reachRule),
  failures: [404],
  output: zListFreeGamesOutput,
  resolve: async ({ ctx, input: { state, platform, country, locale, lows, page, limit } }) => {
    const { region } = resolveCountry(ctx, country);
    const request = {
      state: states[state],
      platforms: storedPlatforms(platform),
      page,
      pageSize: limit,
    };
    const { giveaways, totalSize } = await callUpstream(ctx, "pricing.ListGiveaways", (options) =>
      ctx.clients.pricing.listGiveaways(request, options),
    );
    const ids = giveaways.flatMap(({ offerId }) => offerId ?? []);
    const offerIds = [...new Set(ids)].map(asOfferId);
    const offers = await hydrateOffers(ctx, offerIds, locale, region, lows);
    const offersById = new Map<string, (typeof offers)[number]>(
      offerIds.map((id, index) => [id, offers[index]]),
    );
    return {
      elements: giveaways.map((giveaway) => {
        const offer = offersById.get(giveaway.offerId ?? "") ?? null;
        return { ...giveawayOf(giveaway, offer), offer };
      }),
      page,
      limit,
      total: Number(totalSize),
    };
  },
});
