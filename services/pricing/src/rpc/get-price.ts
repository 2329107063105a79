import type { ServiceImpl } from "@connectrpc/connect";
import { GetPriceResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { encoded, EncodedWriter, notFound } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";

const { price } = GetPriceResponseSchema.field;

/** The price of one offer in a region. */
export function getPrice(store: PriceStore): ServiceImpl<typeof PricingService>["getPrice"] {
  return async ({ offerId, region }) => {
    const record = await store.priceOf(offerId, region);
    if (record === undefined) {
      const message = "the offer has no price in the region";
      throw notFound(ErrorReason.PRICE_NOT_FOUND, message, { offerId, region });
    }
    return encoded(
      GetPriceResponseSchema,
      new EncodedWriter().message(price.number, record).finish(),
    );
  };
}
