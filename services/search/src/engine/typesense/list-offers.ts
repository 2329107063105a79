import { isDeepStrictEqual } from "node:util";
import { unavailable } from "@storefront/rpc";
import type { OfferListing } from "../offer-search.ts";
import type { Collections } from "./collections.ts";
import { sortBy, sortKeysOf } from "./offer-conditions.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import { offersFound } from "./search-offers.ts";
import type { MultiSearch } from "./typesense-client.ts";

/** Documents per page. */
const pageSize = 250;

/** Maximum lists until two in a row are equal. */
const maxLists = 5;

/**
 * The first offers of a search. Several pages are listed until two lists in a row are equal: an offer that is written
 * meanwhile may move between pages.
 *
 * @throws ServiceError UNAVAILABLE also when the lists keep differing.
 */
export async function listOffers(
  multiSearch: MultiSearch,
  collections: Collections,
  listing: OfferListing,
): Promise<readonly string[]> {
  let before: readonly string[] | undefined;
  for (let lists = 0; lists < maxLists; lists++) {
    const { ids, isOnePage } = await listOnce(multiSearch, collections, listing);
    if (isOnePage || isDeepStrictEqual(ids, before)) return ids;
    before = ids;
  }
  throw unavailable("typesense", new Error(`no two of ${maxLists} lists in a row were equal`));
}

/** Reads the first page, which has the count, then the others in one request. */
async function listOnce(
  multiSearch: MultiSearch,
  collections: Collections,
  listing: OfferListing,
): Promise<{ ids: readonly string[]; isOnePage: boolean }> {
  const { order, region, limit } = listing;
  const found = offersFound(collections, listing);
  const pageAt = (offset: number) => ({
    ...found,
    include_fields: "id",
    sort_by: sortBy(sortKeysOf(order, region, found.query_by)),
    offset,
    limit: Math.min(pageSize, limit - offset),
  });
  const [first] = await searchCollections(multiSearch, [pageAt(0)]);
  const last = Math.min(first.found, limit);
  const offsets = Array.from(
    { length: Math.max(0, Math.ceil(last / pageSize) - 1) },
    (_, index) => (index + 1) * pageSize,
  );
  const others =
    offsets.length === 0 ? [] : await searchCollections(multiSearch, offsets.map(pageAt));
  return { ids: [first, ...others].flatMap(idsOf), isOnePage: others.length === 0 };
}
