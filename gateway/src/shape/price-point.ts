import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import type { PriceLows } from "@storefront/price-lows";
import type { PricePoint } from "../schemas/price-point.ts";
import { instantOf } from "./instant.ts";
import { priceLowsOf } from "./price-lows.ts";
import type { Shows } from "./shows.ts";

/** A stored price as REST shows it: amounts in minor units. */
export function pricePointOf(record: OfferPrice, lows?: PriceLows): Shows<PricePoint, OfferPrice> {
  const { price } = record;
  return {
    offerId: record.offerId,
    region: record.region,
    price: {
      currencyCode: price?.currencyCode ?? "",
      originalPrice: Number(price?.originalPrice ?? 0n),
      discountPrice: Number(price?.discountPrice ?? 0n),
      discount: Number(price?.discount ?? 0n),
    },
    updatedAt: instantOf(record.updatedAt),
    appliedRules: record.appliedRules.map((rule) => ({
      id: rule.id ?? null,
      name: rule.name ?? null,
      startDate: instantOf(rule.startDate),
      endDate: instantOf(rule.endDate),
      discountPercentage: rule.discountPercentage ?? null,
    })),
    ...(lows !== undefined && { lows: priceLowsOf(lows) }),
  };
}
