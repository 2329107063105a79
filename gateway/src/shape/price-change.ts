import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { PriceChange as PriceChangeRecord } from "@storefront/contracts/pricing/v1/price_change";
import type { PriceChange } from "../schemas/price-change.ts";
import { instantOf } from "./instant.ts";
import { pricePointOf } from "./price-point.ts";
import type { Shows } from "./shows.ts";

/** A change of a price as REST shows it, with its offer, if that is known. */
export function priceChangeOf(
  record: PriceChangeRecord,
  offer: Offer | undefined,
): Shows<PriceChange, PriceChangeRecord> {
  const { previousPrice, price } = record;
  return {
    id: record.id,
    offerId: record.offerId,
    region: record.region,
    committedAt: instantOf(record.committedAt),
    observedAt: instantOf(record.observedAt),
    previousPrice: previousPrice === undefined ? null : pricePointOf(previousPrice),
    price: price === undefined ? null : pricePointOf(price),
    isForgotten: record.isForgotten,
    offer:
      offer === undefined
        ? null
        : { title: offer.title ?? null, namespace: offer.namespace ?? null },
  };
}
