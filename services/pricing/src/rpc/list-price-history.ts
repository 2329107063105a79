import {
  ListPriceHistoryRequestSchema,
  ListPriceHistoryResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId, asRegion } from "@storefront/identifiers";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { PriceHistoryStore } from "../store/price-history-store.ts";
import type { PricingHandlers } from "./handlers.ts";

export function listPriceHistory(deps: {
  history: PriceHistoryStore;
}): PricingHandlers["listPriceHistory"] {
  return async (request) => {
    const offerId = asOfferId(request.offerId);
    const region = asRegion(request.region);
    const { pageSize, offset } = pageOf(ListPriceHistoryRequestSchema, request);

    const { records, total } = await deps.history.historyOf(offerId, region, pageSize, offset);
    return encodedOf(ListPriceHistoryResponseSchema, { prices: records, totalSize: total });
  };
}
