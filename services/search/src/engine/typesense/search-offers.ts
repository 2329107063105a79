import { isRegion } from "@storefront/regions";
import type { Client } from "typesense";
import { compareCodePoints } from "../../domain/compare-code-points.ts";
import type {
  AggregationName,
  Bucket,
  FacetCounts,
  OfferFilter,
  OfferHits,
  OfferSearch,
  OfferSelection,
  PriceStatistics,
} from "../offer-search.ts";
import { priceFields } from "./collections.ts";
import type { collectionsOf } from "./collections.ts";
import { allConditions } from "./filter-by.ts";
import type { KnownWords } from "./known-words.ts";
import { matchText } from "./match-text.ts";
import type { TextMatch } from "./match-text.ts";
import { offerConditions } from "./offer-conditions.ts";
import { sortBy } from "./order-by.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import type { CollectionAnswer } from "./search-collections.ts";

/** What searches are made with. */
export interface SearchDependencies {
  readonly client: Client;
  readonly words: KnownWords;
}

type Collections = ReturnType<typeof collectionsOf>;

/** Most buckets of an aggregation. */
const maxBuckets = 250;

/** More values than a facet has: prices are added up, and facets of a saved query have no limit. */
const allValues = 1_000_000;

/** The facet that each aggregation counts. */
const facetOf: Readonly<Record<Exclude<AggregationName, "prices">, string>> = {
  technologies: "technology",
  offerTypes: "offer_type",
  tags: "tag_name",
  developers: "developer",
  publishers: "publisher",
  sellers: "seller_name",
};

/**
 * A page of what a search finds, with counts over all of it. Of values that are as frequent as the last
 * of 250, the server decides which are among them: to choose by key would take all that there are.
 */
export async function searchOffers(
  deps: SearchDependencies,
  collections: Collections,
  search: OfferSearch,
): Promise<OfferHits> {
  const asked = search.aggregations;
  const fields = asked.filter((name) => name !== "prices");
  const answer = await ask(deps, collections, search, {
    facets: fields.map((name) => facetOf[name]),
    hasPrices: asked.includes("prices"),
    page: search,
  });
  const buckets = fields.map((name) => [name, bucketsOf(answer, facetOf[name])]);
  return {
    offerIds: idsOf(answer),
    total: answer.found,
    aggregations: {
      ...Object.fromEntries(buckets),
      ...(asked.includes("prices") && { prices: priceStatistics(answer, search.region) }),
    },
    isTimedOut: answer.isTimedOut,
  };
}

/** Counts over all that a search finds. */
export async function countFacets(
  deps: SearchDependencies,
  collections: Collections,
  question: OfferSelection,
): Promise<FacetCounts> {
  const answer = await ask(deps, collections, question, {
    facets: ["tag_id", "offer_type", "developer", "publisher"],
    hasPrices: true,
    page: undefined,
  });
  return {
    tagIds: bucketsOf(answer, "tag_id"),
    offerTypes: bucketsOf(answer, "offer_type"),
    developers: bucketsOf(answer, "developer"),
    publishers: bucketsOf(answer, "publisher"),
    total: answer.found,
    prices: priceStatistics(answer, question.region),
  };
}

async function ask(
  deps: SearchDependencies,
  collections: Collections,
  question: OfferSelection,
  {
    facets,
    hasPrices,
    page,
  }: { facets: readonly string[]; hasPrices: boolean; page: OfferSearch | undefined },
): Promise<CollectionAnswer> {
  const { filter, region } = question;
  const match = await matchOf(deps, collections, filter);
  const found = {
    collection: collections.offers,
    q: "*",
    filter_by: allConditions([...offerConditions(question), ...(match?.conditions ?? [])]),
  };
  const price = hasPrices && isRegion(region) ? priceFields(region).price : undefined;
  const [answer, priced] = await searchCollections(deps.client, [
    {
      ...found,
      facet_by: facets.join(","),
      max_facet_values: page === undefined ? allValues : maxBuckets,
      include_fields: "id",
      ...(page === undefined
        ? { limit: 0 }
        : {
            sort_by: sortBy(page.order, region, match?.relevance),
            offset: page.offset,
            limit: page.limit,
          }),
    },
    // Its statistics are 32-bit floats and its values more than a page of buckets.
    ...(price === undefined
      ? []
      : [{ ...found, facet_by: price, max_facet_values: allValues, limit: 0 }]),
  ]);
  return {
    ...answer,
    facets: new Map([...answer.facets, ...(priced?.facets ?? [])]),
    isTimedOut: answer.isTimedOut || priced?.isTimedOut === true,
  };
}

/** What offers of a selection fulfil. */
export async function selectionConditions(
  deps: SearchDependencies,
  collections: Collections,
  selection: OfferSelection,
): Promise<string[]> {
  const match = await matchOf(deps, collections, selection.filter);
  return [...offerConditions(selection), ...(match?.conditions ?? [])];
}

async function matchOf(
  deps: SearchDependencies,
  collections: Collections,
  { text }: OfferFilter,
): Promise<TextMatch | undefined> {
  return text === undefined ? undefined : await matchText(deps, collections, text);
}

function bucketsOf({ facets }: CollectionAnswer, field: string): Bucket[] {
  return (facets.get(field) ?? [])
    .map(({ value, count }) => ({ key: value, count }))
    .toSorted((a, b) => b.count - a.count || compareCodePoints(a.key, b.key));
}

/** From how often each price is asked, for the server's own statistics are 32-bit floats. */
function priceStatistics({ facets }: CollectionAnswer, region: string): PriceStatistics {
  const prices = (facets.get(priceFields(region).price) ?? []).map(({ value, count }) => ({
    amount: Number(value),
    count,
  }));
  let count = 0;
  let sum = 0;
  let min: number | undefined;
  let max: number | undefined;
  for (const { amount, count: offers } of prices) {
    count += offers;
    sum += amount * offers;
    min = Math.min(min ?? amount, amount);
    max = Math.max(max ?? amount, amount);
  }
  return { count, min, max, avg: count === 0 ? undefined : sum / count };
}
