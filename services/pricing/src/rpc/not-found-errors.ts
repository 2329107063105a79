import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { OfferId, Region } from "@storefront/identifiers";
import { notFound } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";

/** The offer has no price in the region. */
export function priceNotFound(offerId: OfferId, region: Region): ServiceError {
  const message = "the offer has no price in the region";
  return notFound(ErrorReason.PRICE_NOT_FOUND, message, { offerId, region });
}

/** No change of a price has an id like this. */
export function priceChangeNotFound(changeId: string): ServiceError {
  const message = "no change of a price has an id like this";
  return notFound(ErrorReason.PRICE_CHANGE_NOT_FOUND, message, { changeId });
}
