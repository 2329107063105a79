import { RequestCheck } from "@storefront/rpc";
import type { SellerStore } from "../store/seller-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

const maxOfferIds = 50_000;

export function countOffersBySeller(deps: {
  sellers: SellerStore;
}): CatalogHandlers["countOffersBySeller"] {
  return async ({ offerIds }) => {
    const check = new RequestCheck();
    check.identifiers("offer_ids", offerIds, maxOfferIds);
    check.done();

    const rows = await deps.sellers.count(offerIds);
    return {
      sellerCounts: rows.map((row) => ({
        seller: { id: row.seller_id ?? undefined, name: row.seller_name ?? undefined },
        offerCount: row.offer_count,
      })),
    };
  };
}
