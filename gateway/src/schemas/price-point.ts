import { z } from "zod";
import { zPriceLows } from "./price-lows.ts";
import { zInstant, zText } from "./members.ts";

const zAmount = z.int().min(0);

/** The price of an offer in a region. */
export const zPricePoint = z
  .object({
    offerId: z
      .string()
      .meta({ description: "The offer.", example: "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b" }),
    region: z.string().meta({ description: "Pricing region.", example: "EURO" }),
    price: z
      .object({
        currencyCode: z.string().meta({ description: "ISO 4217.", example: "EUR" }),
        originalPrice: zAmount.meta({
          description: "Minor units before any discount.",
          example: 1999,
        }),
        discountPrice: zAmount.meta({ description: "Minor units to pay now.", example: 1399 }),
        discount: z.int().meta({
          description: "originalPrice - discountPrice: an amount, never a percentage.",
          example: 600,
        }),
      })
      .meta({ id: "Price", description: "An amount to pay, in minor units of its currency." }),
    updatedAt: zInstant.meta({ description: "When this price was set." }),
    appliedRules: z
      .array(
        z
          .object({
            id: zText.meta({ description: "Id of the sale.", example: "sale-2026-spring" }),
            name: zText.meta({ description: "Name of the sale.", example: "Spring Sale" }),
            startDate: zInstant.meta({ description: "When the sale begins." }),
            endDate: zInstant.meta({ description: "When the sale ends." }),
            discountPercentage: z.number().nullable().meta({
              description: "The share still payable, in percent: 30 is 70 % off.",
              example: 70,
            }),
          })
          .meta({ id: "AppliedRule", description: "A sale that a discount comes from." }),
      )
      .meta({ description: "Where the discount comes from." }),
    lows: zPriceLows.meta({ description: "The lowest prices; only with `lows=true`." }).optional(),
  })
  .meta({ id: "PricePoint", description: "The price of an offer in a pricing region." });

export type PricePoint = z.output<typeof zPricePoint>;
