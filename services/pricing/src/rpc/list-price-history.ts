import type { ServiceImpl } from "@connectrpc/connect";
import {
  ListPriceHistoryRequestSchema,
  ListPriceHistoryResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { encoded, EncodedWriter, pageOf } from "@storefront/rpc";
import type { PriceHistoryStore } from "../store/price-history-store.ts";

const { prices, totalSize } = ListPriceHistoryResponseSchema.field;

/** The prices that an offer has had in a region, newest `updated_at` first. */
export function listPriceHistory(
  store: PriceHistoryStore,
): ServiceImpl<typeof PricingService>["listPriceHistory"] {
  return async (request) => {
    const { offerId, region } = request;
    const { pageSize, offset } = pageOf(ListPriceHistoryRequestSchema, request);

    const { records, total } = await store.historyOf(offerId, region, pageSize, offset);
    const writer = new EncodedWriter().messages(prices.number, records);
    return encoded(ListPriceHistoryResponseSchema, writer.varint(totalSize.number, total).finish());
  };
}
