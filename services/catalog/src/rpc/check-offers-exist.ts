import type { OfferStore } from "../store/offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function checkOffersExist(deps: {
  offers: OfferStore;
}): CatalogHandlers["checkOffersExist"] {
  return async ({ offerIds }) => {
    return { existingOfferIds: await deps.offers.existing(offerIds) };
  };
}
