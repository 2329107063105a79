import { z } from "zod";
import { zGiveaway } from "./mobile-free-game.ts";
import { zPricedOffer } from "./offer.ts";

/** A giveaway with its offer. */
export const zFreeGame = z
  .object({
    ...zGiveaway.shape,
    offer: zPricedOffer
      .nullable()
      .meta({ description: "The offer that costs nothing; null when it is not known." }),
  })
  .meta({ id: "FreeGame", description: "A giveaway with its offer." });
