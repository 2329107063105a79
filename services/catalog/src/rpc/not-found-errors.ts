import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";

/** No sandbox has this namespace or id. */
export function sandboxNotFound(sandboxId: string): ServiceError {
  return notFound(ErrorReason.SANDBOX_NOT_FOUND, "no sandbox has this id", { sandboxId });
}

/** No offer has this id. */
export function offerNotFound(offerId: string): ServiceError {
  return notFound(ErrorReason.OFFER_NOT_FOUND, "no offer has this id", { offerId });
}

/** No item has this id. */
export function itemNotFound(itemId: string): ServiceError {
  return notFound(ErrorReason.ITEM_NOT_FOUND, "no item has this id", { itemId });
}

/** No offer holds the item. */
export function itemWithoutOffer(itemId: string): ServiceError {
  return notFound(ErrorReason.ITEM_WITHOUT_OFFER, "no offer holds this item", { itemId });
}
