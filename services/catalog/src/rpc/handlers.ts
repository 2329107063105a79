import type { ServiceImpl } from "@connectrpc/connect";
import type { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";

/** Some handlers of the reads, by RPC; the contract says what each returns. */
export type CatalogHandlers = Partial<ServiceImpl<typeof CatalogService>>;

export function offerNotFound(offerId: string): ServiceError {
  return notFound(ErrorReason.OFFER_NOT_FOUND, "no offer has this id", { offerId });
}
