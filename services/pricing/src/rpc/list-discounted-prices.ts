import type { ServiceImpl } from "@connectrpc/connect";
import { ListDiscountedPricesResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { encoded, EncodedWriter, RequestCheck } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";
import { checkRegion } from "./check-region.ts";

const maxOffers = 10_000;
const pageLimits = { defaultSize: 20, maxSize: 100 };
const { prices } = ListDiscountedPricesResponseSchema.field;

/** Of the given offers, the first discounted ones, in the order of the request. */
export function listDiscountedPrices(
  store: PriceStore,
): ServiceImpl<typeof PricingService>["listDiscountedPrices"] {
  return async ({ offerIds, region, pageSize }) => {
    const check = new RequestCheck().identifiers("offer_ids", offerIds, maxOffers);
    checkRegion(check, region);
    const limit = check.pageSize("page_size", pageSize, pageLimits);
    check.done();

    const records = await store.discountedPricesOf([...new Set(offerIds)], region, limit);
    return encoded(
      ListDiscountedPricesResponseSchema,
      new EncodedWriter().messages(prices.number, records).finish(),
    );
  };
}
