import { asRegion } from "@storefront/identifiers";
import { fromBinary } from "@bufbuild/protobuf";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import type { Database } from "@storefront/database";
import { canonicalQuery } from "../domain/canonical-query.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import { maxMembers } from "../domain/query-membership.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";

/** What followed queries are searched with. */
export interface MemberSearch {
  readonly database: Database;
  readonly engine: SearchEngine;
}

/** A query as it is saved. */
export function savedQueryOf(bytes: Uint8Array): OfferQuery {
  return canonicalQuery(fromBinary(OfferQuerySchema, bytes));
}

/**
 * Ids of the offers that a canonical query finds in a region now, as far as it is followed; each was found, or was not, at
 * one moment since the call.
 */
export async function findMembers(
  { database, engine }: MemberSearch,
  query: OfferQuery,
  region: string,
): Promise<readonly string[]> {
  // Another process may have put a newer index in the place of the one that answers here.
  await engine.liveGeneration();
  const list = async () =>
    await engine.listOffers({
      filter: offerFilter(query),
      order: offerOrder(query).order,
      region: asRegion(region),
      nowMs: Date.now(),
      limit: maxMembers,
    });
  // Elsewhere they come page by page, and no offer may move from one to another meanwhile.
  return engine.isInDatabase ? await list() : await inWritersTurn(database, list);
}
