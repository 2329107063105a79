import { z } from "zod";
import { zInstant, zText } from "./members.ts";

const zAmount = z.int().min(0);

/** The price of an offer in a region. */
export const zPricePoint = z
  .object({
    offerId: z.string(),
    region: z.string().meta({ description: "Pricing region.", example: "EURO" }),
    price: z
      .object({
        currencyCode: z.string().meta({ description: "ISO 4217.", example: "EUR" }),
        originalPrice: zAmount.meta({ description: "Minor units before any discount." }),
        discountPrice: zAmount.meta({ description: "Minor units to pay now." }),
        discount: z
          .int()
          .meta({ description: "originalPrice - discountPrice: an amount, never a percentage." }),
      })
      .meta({ id: "Price", description: "An amount to pay, in minor units of its currency." }),
    updatedAt: zInstant,
    appliedRules: z
      .array(
        z
          .object({
            id: zText,
            name: zText,
            startDate: zInstant,
            endDate: zInstant,
            discountPercentage: z
              .number()
              .nullable()
              .meta({ description: "The share still payable, in percent: 30 is 70 % off." }),
          })
          .meta({ id: "AppliedRule", description: "A sale that a discount comes from." }),
      )
      .meta({ description: "Where the discount comes from." }),
  })
  .meta({ id: "PricePoint", description: "The price of an offer in a pricing region." });

export type PricePoint = z.output<typeof zPricePoint>;
