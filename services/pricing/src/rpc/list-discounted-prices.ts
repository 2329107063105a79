import type { ServiceImpl } from "@connectrpc/connect";
import {
  ListDiscountedPricesRequestSchema,
  ListDiscountedPricesResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { encoded, EncodedWriter, pageOf } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";

const { prices } = ListDiscountedPricesResponseSchema.field;

/** Of the given offers, the first discounted ones, in the order of the request. */
export function listDiscountedPrices(
  store: PriceStore,
): ServiceImpl<typeof PricingService>["listDiscountedPrices"] {
  return async (request) => {
    const { offerIds, region } = request;
    const limit = pageOf(ListDiscountedPricesRequestSchema, request).pageSize;

    const records = await store.discountedPricesOf([...new Set(offerIds)], region, limit);
    return encoded(
      ListDiscountedPricesResponseSchema,
      new EncodedWriter().messages(prices.number, records).finish(),
    );
  };
}
