import type { ServiceImpl } from "@connectrpc/connect";
import { BatchGetPricesResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";

const { prices } = BatchGetPricesResponseSchema.field;

/** The prices of many offers in one region, in the order of the request. */
export function batchGetPrices(
  store: PriceStore,
): ServiceImpl<typeof PricingService>["batchGetPrices"] {
  return async ({ offerIds, region }) => {
    const records = await store.pricesOf([...new Set(offerIds)], region);
    return encoded(
      BatchGetPricesResponseSchema,
      new EncodedWriter().messages(prices.number, records).finish(),
    );
  };
}
