import { z } from "zod";
import { zInstant } from "./members.ts";

/** The known values of `exclusions`. */
export const priceExclusions = ["giveaway", "beforeRelease", "otherCurrency"] as const;

const zLow = z
  .object({
    discountPrice: z
      .int()
      .min(0)
      .meta({ description: "What was to pay, in minor units.", example: 999 }),
    firstAt: zInstant.meta({
      description:
        "When the first price of that amount began: maybe before the time that is looked at, never before the release.",
    }),
    lastAt: zInstant.meta({ description: "When the last one ended; null while it holds." }),
  })
  .meta({ id: "PriceLow", description: "The lowest price of a time." });

const zLowOf = (time: string) =>
  zLow
    .nullable()
    .meta({ description: `The lowest price ${time}; null when none of that time counts.` });

const zReductionAmount = z.int().min(0).nullable();

/** The lowest prices of an offer in a region. */
export const zPriceLows = z
  .object({
    since: zInstant.meta({
      description: "Since when there are prices that count; null when there are none.",
    }),
    ever: zLowOf("of all that time"),
    days365: zLowOf("of the last 365 days"),
    days90: zLowOf("of the last 90 days"),
    days30: zLowOf("of the last 30 days"),
    reduction: z
      .object({
        since: zInstant.meta({
          description: "When the reduction began: of one that falls in steps, the first of them.",
        }),
        priceBefore: zReductionAmount.meta({
          description: "The last price before it, in minor units; null when none counts.",
          example: 1999,
        }),
        lowest30DaysBefore: zReductionAmount.meta({
          description:
            "The lowest price of the 30 days before it, in minor units, as directive 98/6/EC (article 6a) asks shops to show; null when none counts.",
          example: 1499,
        }),
      })
      .meta({ id: "PriceReduction", description: "What was before the price was reduced." })
      .nullable()
      .meta({
        description: "Null while the price is not reduced, or the offer is given away.",
      }),
    exclusions: z.array(z.enum(priceExclusions)).meta({
      description:
        "What is on record and was left out: `giveaway`, prices of nothing for something that has a price; `beforeRelease`, prices from before the offer's release date; `otherCurrency`, prices in another currency than the present one. Empty when all count.",
      example: ["giveaway"],
    }),
  })
  .meta({
    id: "PriceLows",
    description: "The lowest prices that the offer has had in the region.",
  });

export type PriceLows = z.output<typeof zPriceLows>;
