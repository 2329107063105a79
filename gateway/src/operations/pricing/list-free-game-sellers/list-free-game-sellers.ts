import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import {
  zListFreeGameSellersInput,
  zListFreeGameSellersOutput,
} from "./list-free-game-sellers.schema.ts";

export const listFreeGameSellers = operation({
  method: "GET",
  path: "/free-games/sellers",
  operationId: "listFreeGameSellers",
  tag: "free games",
  summary: "List the sellers of free games",
  description:
    "Sellers in the history of giveaways and how many of their offers were given away, most first.",
  cost: 3,
  input: zListFreeGameSellersInput,
  output: zListFreeGameSellersOutput,
  resolve: async ({ ctx }) => {
    const { offerIds } = await callUpstream(ctx, "pricing.ListGivenAwayOffers", (options) =>
      ctx.clients.pricing.listGivenAwayOffers({}, options),
    );
    if (offerIds.length === 0) return [];
    const { sellerCounts } = await callUpstream(ctx, "catalog.CountOffersBySeller", (options) =>
      ctx.clients.catalog.countOffersBySeller({ offerIds }, options),
    );
    return sellerCounts.map(({ seller, offerCount }) => ({
      sellerId: seller?.id ?? null,
      sellerName: seller?.name ?? null,
      totalSingleGames: Number(offerCount),
    }));
  },
});
