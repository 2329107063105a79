import { isDeepStrictEqual } from "node:util";
import { unavailable } from "@storefront/rpc";
import type { OfferListing } from "../offer-search.ts";
import type { Collections } from "./collections.ts";
import { sortBy, sortKeysOf } from "./offer-conditions.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import { offersFound } from "./search-offers.ts";
import type { MultiSearch } from "./typesense-client.ts";

/** Most documents of one page. */
const pageSize = 250;

/** Looks until two in a row agree, or the list is given up. */
const maxLooks = 5;

/**
 * The first offers that a search finds. More than a page are listed until two lists in a row are the same: an offer that
 * is written meanwhile may move from page to page and be listed twice or not at all.
 *
 * @throws ServiceError UNAVAILABLE also when the lists keep differing.
 */
export async function listOffers(
  multiSearch: MultiSearch,
  collections: Collections,
  listing: OfferListing,
): Promise<readonly string[]> {
  let before: readonly string[] | undefined;
  for (let looks = 0; looks < maxLooks; looks++) {
    const { ids, isOnePage } = await look(multiSearch, collections, listing);
    if (isOnePage || isDeepStrictEqual(ids, before)) return ids;
    before = ids;
  }
  throw unavailable("typesense", new Error(`no two of ${maxLooks} lists in a row were the same`));
}

/** A page, which tells how many there are, and the others in one request. */
async function look(
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
