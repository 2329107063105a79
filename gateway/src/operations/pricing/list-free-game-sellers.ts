import type { SellerCount } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Seller } from "@storefront/contracts/catalog/v1/offer";
import { z } from "zod";
import type { Shows } from "../../records/shows.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const zListFreeGameSellersOutput = z.array(
  z
    .object({
      sellerId: z
        .string()
        .nullable()
        .meta({ description: "Id of the seller.", example: "o-7f3k2m9q4w" }),
      sellerName: z
        .string()
        .nullable()
        .meta({ description: "Name of the seller.", example: "Harbour Light Publishing" }),
      totalSingleGames: z
        .int()
        .min(1)
        .meta({ description: "Distinct offers with a giveaway that has started.", example: 4 }),
    })
    .meta({ id: "FreeGameSeller", description: "A seller in the history of free games." }),
);

export const listFreeGameSellers = operation({
  method: "GET",
  path: "/free-games/sellers",
  operationId: "listFreeGameSellers",
  tag: "free games",
  summary: "List the sellers of free games",
  description:
    "Sellers in the history of giveaways and how many of their offers were given away, most first.",
  // As a search: every offer that was ever given away passes through, up to 50,000.
  cost: 40,
  input: z.object({}),
  output: zListFreeGameSellersOutput,
  resolve: async ({ ctx }) => {
    const { offerIds } = await callUpstream(ctx, "pricing.ListGivenAwayOffers", (options) =>
      ctx.clients.pricing.listGivenAwayOffers({}, options),
    );
    if (offerIds.length === 0) return [];
    const { sellerCounts } = await callUpstream(ctx, "catalog.CountOffersBySeller", (options) =>
      ctx.clients.catalog.countOffersBySeller({ offerIds }, options),
    );
    return sellerCounts.map(freeGameSellerOf);
  },
});

/** A seller by its members, and how many of its offers were given away. */
type FreeGameSeller = Shows<
  Shows<z.output<typeof zListFreeGameSellersOutput>[number], SellerCount, "seller" | "offerCount">,
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
