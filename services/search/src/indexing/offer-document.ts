import { fromBinary } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import { fieldValues } from "../domain/offer-terms.ts";
import type { OfferDocument } from "../engine/index-documents.ts";
import type { OfferRow } from "../store/source-offer-store.ts";

/** A stored offer, and its record. */
export interface StoredOffer {
  readonly row: OfferRow;
  readonly offer: Offer;
}

export function storedOffer(row: OfferRow): StoredOffer {
  return { row, offer: fromBinary(OfferSchema, row.record) };
}

/** What the index holds of a stored offer. */
export function offerDocument({ row, offer }: StoredOffer): OfferDocument {
  return {
    offerId: offer.id,
    title: offer.title,
    description: offer.description,
    hasGiveaway: row.giveaways > 0,
    ...fieldValues({ ...row, offer }),
  };
}
