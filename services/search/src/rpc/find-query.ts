import { fromBinary } from "@bufbuild/protobuf";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound } from "@storefront/rpc";
import type { SavedQueryStore } from "../store/saved-query-store.ts";

/** A saved query. @throws ServiceError NOT_FOUND, QUERY_NOT_FOUND. */
export async function findQuery(queries: SavedQueryStore, queryId: string): Promise<OfferQuery> {
  const bytes = await queries.get(queryId);
  if (bytes === undefined) {
    throw notFound(ErrorReason.QUERY_NOT_FOUND, "no such query", { queryId });
  }
  return fromBinary(OfferQuerySchema, bytes);
}
