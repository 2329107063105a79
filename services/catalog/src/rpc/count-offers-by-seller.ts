import type { OfferStore } from "../store/offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function countOffersBySeller(deps: {
  offers: OfferStore;
}): CatalogHandlers["countOffersBySeller"] {
  return async ({ offerIds }) => {
    const rows = await deps.offers.countBySeller(offerIds);
    return {
      sellerCounts: rows.map((row) => ({
        seller: { id: row.seller_id ?? undefined, name: row.seller_name ?? undefined },
        offerCount: row.offer_count,
      })),
    };
  };
}
