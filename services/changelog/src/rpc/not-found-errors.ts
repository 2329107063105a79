import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";

/** No entry has this id. */
export function entryNotFound(entryId: string): ServiceError {
  return notFound(ErrorReason.ENTRY_NOT_FOUND, "no such entry", { entryId });
}
