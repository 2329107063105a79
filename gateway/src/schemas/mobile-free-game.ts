import { z } from "zod";
import { zInstant, zText } from "./members.ts";
import { freeGameOfferShape, zOfferPrice } from "./offer.ts";

const giveawayShape = {
  id: z.string(),
  offerId: zText,
  platform: zText.meta({ description: "`android`, `ios`; null for desktop." }),
  title: zText,
  namespace: zText,
  startDate: zInstant,
  endDate: zInstant,
};

/** A time during which an offer costs nothing. */
export const zGiveaway = z
  .object(giveawayShape)
  .meta({ id: "Giveaway", description: "A time during which an offer costs nothing." });

export type Giveaway = z.output<typeof zGiveaway>;

/** An offer that costs nothing at present, its price last. */
export const zMobileFreeGame = z
  .object({
    ...freeGameOfferShape,
    giveaway: z
      .object({
        ...giveawayShape,
        historical: z
          .array(zGiveaway)
          .meta({ description: "Earlier giveaways on any platform, newest first." }),
      })
      .meta({ id: "CurrentGiveaway" }),
    price: zOfferPrice,
  })
  .meta({
    id: "MobileFreeGame",
    description:
      "A current giveaway with its offer; of an unknown offer only the giveaway is known.",
  });

export type MobileFreeGame = z.output<typeof zMobileFreeGame>;
