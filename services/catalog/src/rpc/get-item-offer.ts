import { GetItemOfferResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { asLocale } from "@storefront/identifiers";
import { encodedOf } from "@storefront/rpc";
import type { OfferStore } from "../store/offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { itemWithoutOffer } from "./not-found-errors.ts";

export function getItemOffer(deps: { offers: OfferStore }): CatalogHandlers["getItemOffer"] {
  return async ({ itemId, locale }) => {
    const row = await deps.offers.ofItem(itemId, asLocale(locale));
    if (row === undefined) throw itemWithoutOffer(itemId);
    return encodedOf(GetItemOfferResponseSchema, { offer: row.record, text: row.text });
  };
}
