import { isDeepStrictEqual } from "node:util";
import { unavailable } from "@storefront/rpc";
import type { OfferListing } from "../offer-search.ts";
import type { Collections } from "./collections.ts";
import { allConditions } from "./filter-by.ts";
import { sortBy } from "./order-by.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import { selectionConditions } from "./search-offers.ts";
import type { SearchDependencies } from "./search-offers.ts";

/** Most documents of one page. */
const pageSize = 250;

/** Looks until two in a row agree, or the list is given up. */
const maxLooks = 5;

/**
 * The first offers that a search finds. More than a page are asked for until two lists in a row are the same: the server
 * may still be at work on what a writer has sent that is dead by now, and then an offer slips from page to page.
 */
export async function listOffers(
  deps: SearchDependencies,
  collections: Collections,
  listing: OfferListing,
): Promise<readonly string[]> {
  let before: readonly string[] | undefined;
  for (let looks = 0; looks < maxLooks; looks++) {
    const { ids, isOnePage } = await look(deps, collections, listing);
    if (isOnePage || isDeepStrictEqual(ids, before)) return ids;
    before = ids;
  }
  throw unavailable("typesense", new Error(`no two of ${maxLooks} lists in a row were the same`));
}

/** A page, which tells how many there are, and the others in one request. */
async function look(
  deps: SearchDependencies,
  collections: Collections,
  listing: OfferListing,
): Promise<{ ids: readonly string[]; isOnePage: boolean }> {
  const { order, region, limit } = listing;
  const { conditions, relevance } = await selectionConditions(deps, collections, listing);
  const pageAt = (offset: number) => ({
    collection: collections.offers,
    q: "*",
    filter_by: allConditions(conditions),
    include_fields: "id",
    sort_by: sortBy(order, region, relevance),
    offset,
    limit: Math.min(pageSize, limit - offset),
  });
  const [first] = await searchCollections(deps.client, [pageAt(0)]);
  const last = Math.min(first.found, limit);
  const offsets = Array.from(
    { length: Math.max(0, Math.ceil(last / pageSize) - 1) },
    (_, index) => (index + 1) * pageSize,
  );
  const others =
    offsets.length === 0 ? [] : await searchCollections(deps.client, offsets.map(pageAt));
  return { ids: [first, ...others].flatMap(idsOf), isOnePage: others.length === 0 };
}
