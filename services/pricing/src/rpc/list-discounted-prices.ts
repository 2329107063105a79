import {
  ListDiscountedPricesRequestSchema,
  ListDiscountedPricesResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId, asRegion } from "@storefront/identifiers";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";
import type { PricingHandlers } from "./handlers.ts";

export function listDiscountedPrices(deps: {
  prices: PriceStore;
}): PricingHandlers["listDiscountedPrices"] {
  return async (request) => {
    const offerIds = [...new Set(request.offerIds)].map(asOfferId);
    const limit = pageOf(ListDiscountedPricesRequestSchema, request).pageSize;

    const prices = await deps.prices.discountedPricesOf(offerIds, asRegion(request.region), limit);
    return encodedOf(ListDiscountedPricesResponseSchema, { prices });
  };
}
