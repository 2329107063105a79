import type { ServiceImpl } from "@connectrpc/connect";
import { BatchGetPricesResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { encoded, EncodedWriter, RequestCheck } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";
import { checkRegion } from "./check-region.ts";

const maxOffers = 1_000;
const { prices } = BatchGetPricesResponseSchema.field;

/** The prices of many offers in one region, in the order of the request. */
export function batchGetPrices(
  store: PriceStore,
): ServiceImpl<typeof PricingService>["batchGetPrices"] {
  return async ({ offerIds, region }) => {
    const check = new RequestCheck().identifiers("offer_ids", offerIds, maxOffers);
    checkRegion(check, region);
    check.done();

    const records = await store.pricesOf([...new Set(offerIds)], region);
    return encoded(
      BatchGetPricesResponseSchema,
      new EncodedWriter().messages(prices.number, records).finish(),
    );
  };
}
