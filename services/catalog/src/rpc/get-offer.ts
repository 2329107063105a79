import { GetOfferResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { asLocale, asOfferId } from "@storefront/identifiers";
import { encodedOf } from "@storefront/rpc";
import type { OfferStore } from "../store/offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { offerNotFound } from "./not-found-errors.ts";

export function getOffer(deps: { offers: OfferStore }): CatalogHandlers["getOffer"] {
  return async ({ offerId, locale }) => {
    const row = await deps.offers.get(asOfferId(offerId), asLocale(locale));
    if (row === undefined) throw offerNotFound(offerId);
    return encodedOf(GetOfferResponseSchema, { offer: row.record, text: row.text });
  };
}
