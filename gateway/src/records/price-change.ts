import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { PriceChange as PriceChangeRecord } from "@storefront/contracts/pricing/v1/price_change";
import { z } from "zod";
import { instantOf } from "./instant.ts";
import { zInstant, zObject, zString, zText } from "./members.ts";
import { pricePointOf, zPricePoint } from "./price.ts";
import type { Mapped } from "./mapped-fields.ts";

const zChangedOffer = zObject(
  "PriceChangeOffer",
  "The offer whose price changed, as it stands now.",
  {
    title: zText("Title of the offer.", "Moonlit Harbour"),
    namespace: zText("Sandbox of the offer.", "calluna"),
  },
);

export const zPriceChange = zObject(
  "PriceChange",
  "One change of what an offer costs in a region.",
  {
    id: zString("Id of the change; its place in the log.", "price-000000000001f-hoerpj1quw"),
    offerId: zString("The offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
    region: zString("Pricing region.", "EURO"),
    committedAt: zInstant("When the change was stored; what `since` goes by."),
    observedAt: zInstant("When the new price was seen at its source."),
    previousPrice: zPricePoint
      .nullable()
      .meta({ description: "The price before; null when there was none, or it was forgotten." }),
    price: zPricePoint.nullable().meta({ description: "The price after; null when it is gone." }),
    isForgotten: z.boolean().meta({
      description:
        "Whether the price was forgotten: drop what you have of its past, which is listed no more.",
    }),
    offer: zChangedOffer.nullable().meta({
      description: "Null when the offer is unknown, or its lookup failed or took too long.",
    }),
  },
);

export type PriceChange = z.output<typeof zPriceChange>;

export function priceChangeOf(
  record: PriceChangeRecord,
  offer: Offer | undefined,
): Mapped<PriceChange, PriceChangeRecord> {
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
