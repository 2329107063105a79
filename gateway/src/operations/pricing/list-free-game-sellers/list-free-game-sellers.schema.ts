import { z } from "zod";

export const zListFreeGameSellersInput = z.object({});

export const zListFreeGameSellersOutput = z.array(
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
