import type { SellerStore } from "../store/seller-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function countOffersBySeller(deps: {
  sellers: SellerStore;
}): CatalogHandlers["countOffersBySeller"] {
  return async ({ offerIds }) => {
    const rows = await deps.sellers.count(offerIds);
    return {
      sellerCounts: rows.map((row) => ({
        seller: { id: row.seller_id ?? undefined, name: row.seller_name ?? undefined },
        offerCount: row.offer_count,
      })),
    };
  };
}
