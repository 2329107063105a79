import { asRegion } from "@storefront/identifiers";
import { fromBinary } from "@bufbuild/protobuf";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { canonicalQuery } from "../domain/canonical-query.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import { maxMembers } from "../domain/query-membership.ts";
import type { SearchEngine } from "../engine/search-engine.ts";

/** A query as it is saved. */
export function savedQueryOf(bytes: Uint8Array): OfferQuery {
  return canonicalQuery(fromBinary(OfferQuerySchema, bytes));
}

/** Ids of the offers that a canonical query finds in a region, as far as it is followed. Consistent as `listOffers`. */
export async function findMembers(
  engine: SearchEngine,
  query: OfferQuery,
  region: string,
): Promise<readonly string[]> {
  // Another process may have put a newer index in the place of the one that answers here.
  await engine.liveGeneration();
  return await engine.listOffers({
    filter: offerFilter(query),
    order: offerOrder(query).order,
    region: asRegion(region),
    nowMs: Date.now(),
    limit: maxMembers,
  });
}
