import type { FacetCounts, OfferHits, OfferSearch, OfferSelection } from "../offer-search.ts";
import { aggregationsOf, countedKinds, maxBuckets } from "./aggregations.ts";
import { countTerms } from "./columns/count-terms.ts";
import { foundOffers, pageOf } from "./columns/found-offers.ts";
import { priceStatistics } from "./columns/price-statistics.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { termBuckets } from "./term-buckets.ts";
import { wantedOf } from "./wanted-offers.ts";

/** A page of what a search finds, with counts over all of it. */
export async function searchOffers(
  deps: SearchDependencies,
  generation: number,
  search: OfferSearch,
): Promise<OfferHits> {
  const { aggregations: asked, region, order, limit } = search;
  const wanted = await wantedOf(deps, generation, search.filter, { isRanked: limit > 0 });
  const hasTimes = order.key === "priceUpdatedAt";
  const columns = await deps.columns.read(generation, region, { hasTimes });
  const found = foundOffers(columns, search, wanted);
  const offerIds = pageOf(found, columns, search, wanted.text);
  const prices = priceStatistics(found, columns.prices);
  const kinds = countedKinds(asked);
  const counts = kinds.length === 0 ? new Int32Array() : countTerms(found, columns.offers.facets);
  // From here on the columns may be of another moment.
  const buckets = await termBuckets(deps, counts, kinds, maxBuckets);
  return {
    offerIds,
    total: found.length,
    aggregations: aggregationsOf(asked, buckets, prices),
    isTimedOut: false,
  };
}

/** Counts over all that a search finds. */
export async function countFacets(
  deps: SearchDependencies,
  generation: number,
  question: OfferSelection,
): Promise<FacetCounts> {
  const wanted = await wantedOf(deps, generation, question.filter, { isRanked: false });
  const columns = await deps.columns.read(generation, question.region, { hasTimes: false });
  const found = foundOffers(columns, question, wanted);
  const prices = priceStatistics(found, columns.prices);
  const counts = countTerms(found, columns.offers.terms);
  const buckets = await termBuckets(deps, counts, ["tag", "type", "developer", "publisher"]);
  return {
    tagIds: buckets.get("tag") ?? [],
    offerTypes: buckets.get("type") ?? [],
    developers: buckets.get("developer") ?? [],
    publishers: buckets.get("publisher") ?? [],
    total: found.length,
    prices,
  };
}
