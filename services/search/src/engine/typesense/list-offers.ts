import type { OfferListing } from "../offer-search.ts";
import type { Collections } from "./collections.ts";
import { allConditions } from "./filter-by.ts";
import { sortBy } from "./order-by.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import { selectionConditions } from "./search-offers.ts";
import type { SearchDependencies } from "./search-offers.ts";

/** Most documents of one page. */
const pageSize = 250;

/** The first offers that a search finds: a page, which tells how many there are, and the others in one request. */
export async function listOffers(
  deps: SearchDependencies,
  collections: Collections,
  listing: OfferListing,
): Promise<readonly string[]> {
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
  return [first, ...others].flatMap(idsOf);
}
