import { fromBinary } from "@bufbuild/protobuf";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import { queryNotFound } from "./not-found-errors.ts";

/** A saved query. @throws ServiceError NOT_FOUND, QUERY_NOT_FOUND. */
export async function findQuery(queries: SavedQueryStore, queryId: string): Promise<OfferQuery> {
  const bytes = await queries.get(queryId);
  if (bytes === undefined) throw queryNotFound(queryId);
  return fromBinary(OfferQuerySchema, bytes);
}
