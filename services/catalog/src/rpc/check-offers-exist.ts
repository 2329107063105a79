import { RequestCheck } from "@storefront/rpc";
import type { OfferStore } from "../store/offer-store.ts";
import { maxBatch } from "./checks.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function checkOffersExist(deps: {
  offers: OfferStore;
}): CatalogHandlers["checkOffersExist"] {
  return async ({ offerIds }) => {
    const check = new RequestCheck();
    check.identifiers("offer_ids", offerIds, maxBatch);
    check.done();

    return { existingOfferIds: await deps.offers.existing(offerIds) };
  };
}
