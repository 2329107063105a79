import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import type { PriceState } from "@storefront/price-lows";

/** What a price was seen to be, as far as its lows depend on it; without a record it was deleted. */
export function priceState(observedAt: Date, record: OfferPrice | null | undefined): PriceState {
  const observedAtMs = observedAt.getTime();
  if (record?.price === undefined) return { observedAtMs };
  const { currencyCode, originalPrice, discountPrice } = record.price;
  return {
    observedAtMs,
    updatedAtMs: record.updatedAt && timestampMs(record.updatedAt),
    price: {
      currencyCode,
      originalPrice: Number(originalPrice),
      discountPrice: Number(discountPrice),
    },
  };
}
