import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import type { PriceLow, PriceLows, PriceReduction } from "@storefront/domain/price-lows";
import { asRegion } from "@storefront/domain/identifiers";
import { z } from "zod";
import { currentRegions } from "../regions/current-regions.ts";
import { instantOf, instantOfMs } from "./instant.ts";
import { zInstant, zList, zObject, zString, zText } from "./members.ts";
import type { Mapped } from "./mapped-fields.ts";

const zAmount = z.int().min(0);
const zPercentOff = z.int().min(0).max(100);

export const zCurrencyDecimals = z.int().min(0).max(4).meta({
  description:
    "Decimals of the currency's amounts, which are in minor units: with 2, 1999 is 19.99.",
  example: 2,
});

const zLow = zObject("PriceLow", "The lowest price of a time.", {
  discountPrice: zAmount.meta({ description: "What was to pay, in minor units.", example: 999 }),
  firstAt: zInstant(
    "When the first price of that amount began: maybe before the time that is looked at, never before the release.",
  ),
  lastAt: zInstant("When the last one ended; null while it holds."),
});

const zLowOf = (time: string) =>
  zLow
    .nullable()
    .meta({ description: `The lowest price ${time}; null when none of that time counts.` });

const zPriceLows = zObject("PriceLows", "The lowest prices that the offer has had in the region.", {
  since: zInstant("Since when there are prices that count; null when there are none."),
  ever: zLowOf("of all that time"),
  days365: zLowOf("of the last 365 days"),
  days90: zLowOf("of the last 90 days"),
  days30: zLowOf("of the last 30 days"),
  reduction: zObject("PriceReduction", "What was before the price was reduced.", {
    since: zInstant("When the reduction began: of one that falls in steps, the first of them."),
    priceBefore: zAmount.nullable().meta({
      description: "The last price before it, in minor units; null when none counts.",
      example: 1999,
    }),
    lowest30DaysBefore: zAmount.nullable().meta({
      description:
        "The lowest price of the 30 days before it, in minor units, as directive 98/6/EC (article 6a) asks shops to show; null when none counts.",
      example: 1499,
    }),
  })
    .nullable()
    .meta({
      description: "Null while the price is not reduced, or the offer is given away.",
    }),
  exclusions: z.array(z.enum(["giveaway", "beforeRelease", "otherCurrency"])).meta({
    description:
      "What is on record and was left out: `giveaway`, prices of nothing for something that has a price; `beforeRelease`, prices from before the offer's release date; `otherCurrency`, prices in another currency than the present one. Empty when all count.",
    example: ["giveaway"],
  }),
});

export type ShownPriceLows = z.output<typeof zPriceLows>;

export const zPricePoint = zObject("PricePoint", "The price of an offer in a pricing region.", {
  offerId: zString("The offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
  region: zString("Pricing region.", "EURO"),
  price: zObject("Price", "An amount to pay, in minor units of its currency.", {
    currencyCode: zString("ISO 4217.", "EUR"),
    currencyDecimals: zCurrencyDecimals,
    originalPrice: zAmount.meta({
      description: "Minor units before any discount.",
      example: 1999,
    }),
    discountPrice: zAmount.meta({ description: "Minor units to pay now.", example: 1399 }),
    discount: z.int().meta({
      description: "originalPrice - discountPrice: an amount, never a percentage.",
      example: 600,
    }),
    percentOff: zPercentOff.meta({
      description:
        "The share taken off in whole percent, half up; 0 when the price is not reduced.",
      example: 30,
    }),
  }),
  updatedAt: zInstant("When this price was set."),
  appliedRules: zList(
    zObject("AppliedRule", "A sale that a discount comes from.", {
      id: zText("Id of the sale.", "sale-2026-spring"),
      name: zText("Name of the sale.", "Spring Sale"),
      startDate: zInstant("When the sale begins."),
      endDate: zInstant("When the sale ends."),
      discountPercentage: z.number().nullable().meta({
        description: "The share still payable, in percent: 30 is 70 % off.",
        example: 70,
      }),
      percentOff: zPercentOff.meta({
        description:
          "The opposite of `discountPercentage` in whole percent, half up; 0 where the sale has none.",
        example: 30,
      }),
    }),
    "Where the discount comes from.",
  ),
  lows: zPriceLows.meta({ description: "The lowest prices; only with `lows=true`." }).optional(),
});

export type PricePoint = z.output<typeof zPricePoint>;

export function pricePointOf(record: OfferPrice, lows?: PriceLows): Mapped<PricePoint, OfferPrice> {
  const { price } = record;
  const currencyCode = price?.currencyCode ?? "";
  const originalPrice = Number(price?.originalPrice ?? 0n);
  const discount = Number(price?.discount ?? 0n);
  return {
    offerId: record.offerId,
    region: record.region,
    price: {
      currencyCode,
      currencyDecimals: currentRegions.table.decimalsOf(currencyCode, asRegion(record.region)),
      originalPrice,
      discountPrice: Number(price?.discountPrice ?? 0n),
      discount,
      percentOff: originalPrice === 0 ? 0 : wholePercentOf((discount * 100) / originalPrice),
    },
    updatedAt: instantOf(record.updatedAt),
    appliedRules: record.appliedRules.map((rule) => ({
      id: rule.id ?? null,
      name: rule.name ?? null,
      startDate: instantOf(rule.startDate),
      endDate: instantOf(rule.endDate),
      discountPercentage: rule.discountPercentage ?? null,
      percentOff: wholePercentOf(100 - (rule.discountPercentage ?? 100)),
    })),
    ...(lows !== undefined && { lows: priceLowsOf(lows) }),
  };
}

/** A percentage from 0 to 100, rounded half up; records may have others. */
function wholePercentOf(percent: number): number {
  return Math.min(100, Math.max(0, Math.round(percent)));
}

type ShownLow = NonNullable<ShownPriceLows["ever"]>;
type ShownReduction = NonNullable<ShownPriceLows["reduction"]>;

/** When the lows change is for caches alone. */
function priceLowsOf(
  lows: PriceLows,
): Mapped<ShownPriceLows, PriceLows, "sinceMs" | "excluded" | "changesAtMs"> {
  return {
    since: lows.sinceMs === null ? null : instantOfMs(lows.sinceMs),
    ever: lows.ever && lowOf(lows.ever),
    days365: lows.days365 && lowOf(lows.days365),
    days90: lows.days90 && lowOf(lows.days90),
    days30: lows.days30 && lowOf(lows.days30),
    reduction: lows.reduction && reductionOf(lows.reduction),
    exclusions: [...lows.excluded],
  };
}

function lowOf({
  discountPrice,
  firstAtMs,
  lastAtMs,
}: PriceLow): Mapped<ShownLow, PriceLow, "firstAtMs" | "lastAtMs"> {
  return {
    discountPrice,
    firstAt: instantOfMs(firstAtMs),
    lastAt: lastAtMs === null ? null : instantOfMs(lastAtMs),
  };
}

function reductionOf({
  sinceMs,
  priceBefore,
  lowest30DaysBefore,
}: PriceReduction): Mapped<ShownReduction, PriceReduction, "sinceMs"> {
  return { since: instantOfMs(sinceMs), priceBefore, lowest30DaysBefore };
}
