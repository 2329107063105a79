import type { SellerCount } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Offer, Seller } from "@storefront/contracts/catalog/v1/offer";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import type { CurrentGiveaway } from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId } from "@storefront/domain/identifiers";
import type { OfferId } from "@storefront/domain/identifiers";
import { z } from "zod";
import { findShownPrices } from "../../compose/find-price.ts";
import { hydrateOffers } from "../../compose/hydrate-offers.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { giveawayOf, zFreeGame, zMobileFreeGame } from "../../records/giveaway.ts";
import type { MobileFreeGame } from "../../records/giveaway.ts";
import { zCount, zList, zObject, zText } from "../../records/members.ts";
import type { Mapped } from "../../records/mapped-fields.ts";
import { pageEchoShape, pagingShape, withinReach } from "../../schemas/paging.ts";
import { zCountry, zLocale, zLows, zOneOf } from "../../schemas/parameters.ts";
import { storedPlatforms, zPlatforms } from "../../schemas/platforms.ts";
import { operation } from "../operation.ts";

const states = {
  current: GiveawayState.CURRENT,
  upcoming: GiveawayState.UPCOMING,
  past: GiveawayState.PAST,
};

const zListFreeGamesOutput = zObject("FreeGamePage", "A page of giveaways with their offers.", {
  elements: zList(zFreeGame, "The giveaways of the page."),
  ...pageEchoShape,
  total: zCount("Number of giveaways on all pages.", 12),
});

export const listFreeGames = operation({
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
      state: zOneOf(["current", "upcoming", "past"]).default("current").meta({
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
    .check(withinReach),
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
    const { giveaways, totalSize } = await ctx.clients.pricing.listGiveaways(ctx, request);
    const offerIds = offerIdsOf(giveaways);
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

export const listMobileFreeGames = operation({
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
    const { currentGiveaways } = await ctx.clients.pricing.listCurrentGiveaways(ctx, {
      platforms: ["android", "ios"],
    });
    const offerIds = offerIdsOf(currentGiveaways.map(({ giveaway }) => giveaway));
    const finding = ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds);
    const [offers, prices] = await Promise.all([
      finding,
      findShownPrices(ctx, offerIds, region, lows ? finding : undefined),
    ]);
    const indexById = new Map<string, number>(offerIds.map((id, index) => [id, index]));
    return currentGiveaways.flatMap((current) => {
      const index = indexById.get(current.giveaway?.offerId ?? "") ?? -1;
      const found = offers[index];
      if (current.giveaway === undefined || found === undefined) return [];
      return {
        ...localiseOffer(found, locale),
        giveaway: currentGiveawayOf(current, current.giveaway, found.offer),
        price: prices[index] ?? null,
      };
    });
  },
});

type ShownGiveaway = Mapped<MobileFreeGame["giveaway"], CurrentGiveaway, "giveaway">;

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

function offerIdsOf(giveaways: readonly (Giveaway | undefined)[]): OfferId[] {
  return [...new Set(giveaways.flatMap((giveaway) => giveaway?.offerId ?? []))].map(asOfferId);
}

const zListFreeGameSellersOutput = z.array(
  zObject("FreeGameSeller", "A seller in the history of free games.", {
    sellerId: zText("Id of the seller.", "o-7f3k2m9q4w"),
    sellerName: zText("Name of the seller.", "Harbour Light Publishing"),
    totalSingleGames: z
      .int()
      .min(1)
      .meta({ description: "Distinct offers with a giveaway that has started.", example: 4 }),
  }),
);

export const listFreeGameSellers = operation({
  path: "/free-games/sellers",
  operationId: "listFreeGameSellers",
  tag: "free games",
  summary: "List the sellers of free games",
  description:
    "Sellers in the history of giveaways and how many of their offers were given away, most first.",
  // As much as a search: it reads every offer that was ever given away, up to 50,000.
  cost: 40,
  input: z.object({}),
  output: zListFreeGameSellersOutput,
  resolve: async ({ ctx }) => {
    const { offerIds } = await ctx.clients.pricing.listGivenAwayOffers(ctx, {});
    if (offerIds.length === 0) return [];
    const { sellerCounts } = await ctx.clients.catalog.countOffersBySeller(ctx, { offerIds });
    return sellerCounts.map(freeGameSellerOf);
  },
});

/** A seller by its members, and how many of its offers were given away. */
type FreeGameSeller = Mapped<
  Mapped<z.output<typeof zListFreeGameSellersOutput>[number], SellerCount, "seller" | "offerCount">,
  Seller,
  "id" | "name"
>;

function freeGameSellerOf({ seller, offerCount }: SellerCount): FreeGameSeller {
  return {
    sellerId: seller?.id ?? null,
    sellerName: seller?.name ?? null,
    totalSingleGames: Number(offerCount),
  };
}
