import { fromBinary } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { fieldValues } from "../domain/offer-terms.ts";
import type { OfferDocument } from "../engine/index-documents.ts";
import type { OfferRow } from "../store/source-offer-store.ts";

/** What the index holds of a stored offer. */
export function offerDocument(row: OfferRow): OfferDocument {
  const offer = fromBinary(OfferSchema, row.record);
  return {
    offerId: offer.id,
    title: offer.title,
    description: offer.description,
    hasGiveaway: row.giveaways > 0,
    ...fieldValues({ ...row, offer }),
  };
}
