import { clone, equals } from "@bufbuild/protobuf";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";

/**
 * Whether a write changed what is shown of a price, that it is there included. When it was set at its
 * source is no part of that: sources set it anew without a change.
 */
export function isPriceChange(
  before: OfferPrice | undefined,
  after: OfferPrice | undefined,
): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return !equals(OfferPriceSchema, undated(before), undated(after));
}

function undated(price: OfferPrice): OfferPrice {
  const shown = clone(OfferPriceSchema, price);
  delete shown.updatedAt;
  return shown;
}
