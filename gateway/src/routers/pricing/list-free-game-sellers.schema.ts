import { z } from "zod";

export const zListFreeGameSellersInput = z.object({});

export const zListFreeGameSellersOutput = z.array(
  z
    .object({
      sellerId: z.string().nullable(),
      sellerName: z.string().nullable(),
      totalSingleGames: z
        .int()
        .min(1)
        .meta({ description: "Distinct offers with a giveaway that has started." }),
    })
    .meta({ id: "FreeGameSeller", description: "A seller in the history of free games." }),
);
