import { BatchGetOffersResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { asLocale, asOfferId } from "@storefront/identifiers";
import { encodedOf } from "@storefront/rpc";
import type { OfferStore } from "../store/offer-store.ts";
import { recordsOf, textsOf } from "../store/rows.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function batchGetOffers(deps: { offers: OfferStore }): CatalogHandlers["batchGetOffers"] {
  return async ({ offerIds, locale }) => {
    const rows = await deps.offers.list(offerIds.map(asOfferId), asLocale(locale));
    return encodedOf(BatchGetOffersResponseSchema, {
      offers: recordsOf(rows),
      texts: textsOf(rows),
    });
  };
}
