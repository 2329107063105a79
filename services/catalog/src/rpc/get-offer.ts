import { GetOfferResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded } from "@storefront/rpc";
import type { OfferStore } from "../store/offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { offerNotFound } from "./not-found-errors.ts";
import { writeOffers } from "./offer-parts.ts";

const { offer, text } = GetOfferResponseSchema.field;

export function getOffer(deps: { offers: OfferStore }): CatalogHandlers["getOffer"] {
  return async ({ offerId, locale }) => {
    const row = await deps.offers.get(offerId, locale);
    if (row === undefined) throw offerNotFound(offerId);
    return encoded(
      GetOfferResponseSchema,
      writeOffers([row], { offer: offer.number, text: text.number }).finish(),
    );
  };
}
