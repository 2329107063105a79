import { GetItemOfferResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded } from "@storefront/rpc";
import type { OfferStore } from "../store/offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { itemWithoutOffer } from "./not-found-errors.ts";
import { writeOffers } from "./offer-parts.ts";

const { offer, text } = GetItemOfferResponseSchema.field;

export function getItemOffer(deps: { offers: OfferStore }): CatalogHandlers["getItemOffer"] {
  return async ({ itemId, locale }) => {
    const row = await deps.offers.ofItem(itemId, locale);
    if (row === undefined) throw itemWithoutOffer(itemId);
    return encoded(
      GetItemOfferResponseSchema,
      writeOffers([row], { offer: offer.number, text: text.number }).finish(),
    );
  };
}
