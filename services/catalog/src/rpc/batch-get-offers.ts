import { BatchGetOffersResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded } from "@storefront/rpc";
import type { OfferStore } from "../store/offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { writeOffers } from "./offer-parts.ts";

const { offers, texts } = BatchGetOffersResponseSchema.field;

export function batchGetOffers(deps: { offers: OfferStore }): CatalogHandlers["batchGetOffers"] {
  return async ({ offerIds, locale }) => {
    const rows = await deps.offers.list(offerIds, locale);
    return encoded(
      BatchGetOffersResponseSchema,
      writeOffers(rows, { offer: offers.number, text: texts.number }).finish(),
    );
  };
}
