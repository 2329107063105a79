import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";

/** No query is saved under this id. */
export function queryNotFound(queryId: string): ServiceError {
  return notFound(ErrorReason.QUERY_NOT_FOUND, "no such query", { queryId });
}
