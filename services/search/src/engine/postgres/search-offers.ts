import type { FacetCounts, OfferHits, OfferSearch, OfferSelection } from "../offer-search.ts";
import { aggregationsOf, countedKinds, maxBuckets } from "./aggregations.ts";
import { countTerms } from "./columns/count-terms.ts";
import { foundOffers, offersAtOnce, pageOf } from "./columns/found-offers.ts";
import type { SearchColumns } from "./columns/index-columns.ts";
import { priceStatistics } from "./columns/price-statistics.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { termBuckets } from "./term-buckets.ts";
import { Turns } from "./turns.ts";
import { wantedOf } from "./wanted-offers.ts";

/** A page of what a search finds, with counts over all of it. */
export async function searchOffers(
  deps: SearchDependencies,
  generation: number,
  search: OfferSearch,
): Promise<OfferHits> {
  const { aggregations: asked, region, order, limit } = search;
  const wanted = await wantedOf(deps, generation, search.filter, { isRanked: limit > 0 });
  const kinds = countedKinds(asked);
  const columnsAsked = { region, hasTimes: order.key === "priceUpdatedAt" };
  const use = async (columns: SearchColumns) => {
    const turns = new Turns(offersAtOnce);
    const found = await foundOffers(columns, search, wanted, turns);
    const offerIds = pageOf(found, columns, search, wanted.text);
    await turns.after(found.length);
    const prices = priceStatistics(found, columns.prices);
    await turns.after(found.length);
    const counts = kinds.length === 0 ? new Int32Array() : countTerms(found, columns.offers.facets);
    return { offerIds, total: found.length, prices, counts };
  };
  const { offerIds, total, prices, counts } = await deps.columns.read(
    generation,
    columnsAsked,
    use,
  );
  const buckets = await termBuckets(deps, counts, kinds, maxBuckets);
  return {
    offerIds,
    total,
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
  const columnsAsked = { region: question.region, hasTimes: false };
  const use = async (columns: SearchColumns) => {
    const turns = new Turns(offersAtOnce);
    const found = await foundOffers(columns, question, wanted, turns);
    const prices = priceStatistics(found, columns.prices);
    await turns.after(found.length);
    const counts = countTerms(found, columns.offers.terms);
    return { total: found.length, prices, counts };
  };
  const { total, prices, counts } = await deps.columns.read(generation, columnsAsked, use);
  const buckets = await termBuckets(deps, counts, ["tag", "type", "developer", "publisher"]);
  return {
    tagIds: buckets.get("tag") ?? [],
    offerTypes: buckets.get("type") ?? [],
    developers: buckets.get("developer") ?? [],
    publishers: buckets.get("publisher") ?? [],
    total,
    prices,
  };
}
