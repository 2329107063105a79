import type { Region } from "@storefront/domain/identifiers";
import { compareBuckets, maxBuckets, priceStatistics } from "../../domain/count-offers.ts";
import { containing } from "../../domain/facet-query.ts";
import type { FacetQuery } from "../../domain/facet-query.ts";
import { findMatches } from "../../domain/find-matches.ts";
import { highlightsOf } from "../../domain/highlights.ts";
import type { Highlights } from "../../domain/highlights.ts";
import { ownFilters, withoutFilters } from "../../domain/offer-filter.ts";
import type { OwnFilter } from "../../domain/offer-filter.ts";
import { countedFields, facetFields } from "../../domain/offer-terms.ts";
import { indexWords } from "../../domain/text-words.ts";
import type {
  AggregationName,
  Bucket,
  FacetCounts,
  OfferHits,
  OfferSearch,
  OfferSelection,
  PriceStatistics,
} from "../offer-search.ts";
import { priceFields, textFields, facetOf } from "./collections.ts";
import type { Collections } from "./collections.ts";
import { allConditions, offerConditions, sortBy, sortKeysOf } from "./offer-conditions.ts";
import type { SortKey } from "./offer-conditions.ts";
import { endOf, fieldsOf, findPageAfter } from "./page-after.ts";
import type { Page } from "./page-after.ts";
import { noRegion } from "./priced-regions.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import type { CollectionResult, CollectionSearch } from "./search-collections.ts";
import { offersByText } from "./search-text.ts";
import type { MultiSearch } from "./typesense-client.ts";

/**
 * Above the number of a facet's values: prices are summed here, facets of a saved query are unlimited, and values are
 * matched with a text here, since the server's `facet_query` matches only prefixes of words, partially and with typos.
 */
const allValues = 1_000_000;

/**
 * A page of search results, with counts over all of them, or over the results without a filter. Among values as
 * frequent as the last of 250 the server's selection is arbitrary: selecting by key would need all values.
 */
export async function searchOffers(
  multiSearch: MultiSearch,
  collections: Collections,
  search: OfferSearch,
): Promise<OfferHits> {
  const { aggregations: requested, order, region, facetQuery, highlight } = search;
  const { bucketsMax = maxBuckets } = search;
  const ownOf = ownFilters(search);
  const counted = requested.map((name) => {
    const field = name === "prices" ? undefined : countedFields.get(name);
    const query = name === facetQuery?.of ? facetQuery : undefined;
    return { name, facet: field && facetOf(field), own: ownOf.get(name), query };
  });
  const facetsWithout = (without: OwnFilter | undefined) =>
    counted.flatMap(({ facet, own, query }) =>
      facet === undefined || own !== without || query !== undefined ? [] : [facet],
    );
  const found = offersFound(collections, search);
  const lifted = [...new Set(ownOf.values())].map((own) => {
    const filter = withoutFilters(search.filter, [own]);
    return { own, found: offersFound(collections, { ...search, filter }) };
  });
  const foundFor = (name: AggregationName) =>
    lifted.find(({ own }) => own === ownOf.get(name))?.found ?? found;
  const keys = sortKeysOf(order, region, found.query_by);
  const ordered = {
    ...found,
    include_fields: [...fieldsOf(keys), ...(highlight ? highlightedFields : [])].join(","),
    ...(highlight && highlighting),
    sort_by: sortBy(keys),
  };
  const faceted = {
    ...ordered,
    facet_by: facetsWithout(undefined).join(","),
    max_facet_values: bucketsMax,
  };
  const others: CollectionSearch[] = [
    ...lifted.flatMap(({ own, found: foundWithout }) => {
      const facets = facetsWithout(own).join(",");
      if (facets === "") return [];
      return [{ ...foundWithout, facet_by: facets, max_facet_values: bucketsMax, limit: 0 }];
    }),
    ...counted.flatMap(({ name, facet, query }) =>
      facet === undefined || query === undefined ? [] : [allValuesOf(foundFor(name), facet)],
    ),
    ...(requested.includes("prices") ? pricesSearch(foundFor("prices"), region) : []),
  ];
  const [page, results] = await pageAndCounts(multiSearch, { faceted, others, keys, search });
  const all = facetsOf(results);
  return {
    offerIds: idsOf(page),
    end: endOf(page, keys),
    total: page.found,
    aggregations: Object.fromEntries(
      counted.map(({ name, facet, query }) => [
        name,
        facet === undefined ? pricesOf(all, region) : bucketsOf(all, facet, query, bucketsMax),
      ]),
    ),
    isTimedOut: [page, ...results].some(({ isTimedOut }) => isTimedOut),
    ...(highlight && found.query_by !== undefined && { highlights: highlightsOfPage(page) }),
  };
}

/** The page of a search, and the results with its counts: including the page's own, unless it follows another page. */
async function pageAndCounts(
  multiSearch: MultiSearch,
  {
    faceted,
    others,
    keys,
    search: { after, offset, limit, aggregations },
  }: {
    faceted: CollectionSearch;
    others: readonly CollectionSearch[];
    keys: readonly SortKey[];
    search: OfferSearch;
  },
): Promise<[page: Page, results: readonly CollectionResult[]]> {
  if (after === undefined) {
    const page = { ...faceted, offset, limit };
    const results = await searchCollections(multiSearch, [page, ...others]);
    return [{ ...results[0], offset }, results];
  }
  const { facet_by: _facets, max_facet_values: _most, ...plain } = faceted;
  return await Promise.all([
    findPageAfter(multiSearch, plain, { keys, after, limit }),
    aggregations.length === 0
      ? []
      : searchCollections(multiSearch, [{ ...faceted, limit: 0 }, ...others]),
  ]);
}

/** Counts over all results. */
export async function countFacets(
  multiSearch: MultiSearch,
  collections: Collections,
  selection: OfferSelection,
): Promise<FacetCounts> {
  const facets = [...facetFields].map(([name, field]) => ({ name, facet: facetOf(field) }));
  const found = offersFound(collections, selection);
  const results = await searchCollections(multiSearch, [
    {
      ...found,
      facet_by: facets.map(({ facet }) => facet).join(","),
      max_facet_values: allValues,
      limit: 0,
    },
    ...pricesSearch(found, selection.region),
  ]);
  const counts = facetsOf(results);
  return {
    buckets: Object.fromEntries(facets.map(({ name, facet }) => [name, bucketsOf(counts, facet)])),
    total: results[0].found,
    prices: pricesOf(counts, selection.region),
  };
}

export function offersFound(collections: Collections, selection: OfferSelection): CollectionSearch {
  return {
    collection: collections.offers,
    ...offersByText(selection.filter.text),
    filter_by: allConditions(offerConditions(selection)),
  };
}

/**
 * The counts of prices in a region: the server's statistics are 32-bit floats, and prices have more values than a
 * page of buckets.
 */
function pricesSearch(found: CollectionSearch, region: Region): CollectionSearch[] {
  if (region === noRegion) return [];
  return [allValuesOf(found, priceFields(region).price)];
}

function allValuesOf(found: CollectionSearch, facet: string): CollectionSearch {
  return { ...found, facet_by: facet, max_facet_values: allValues, limit: 0 };
}

type Facets = CollectionResult["facets"];

/** The facets of several results, which are distinct. */
function facetsOf(results: readonly CollectionResult[]): Facets {
  return new Map(results.flatMap(({ facets }) => [...facets]));
}

/** @param query limits them to the first `limit` that contain a text; default all */
function bucketsOf(facets: Facets, field: string, query?: FacetQuery, limit?: number): Bucket[] {
  const buckets = (facets.get(field) ?? []).map(({ value, count }) => ({ key: value, count }));
  if (query === undefined) return buckets.toSorted(compareBuckets);
  const isMatching = containing(query.text);
  return buckets
    .filter(({ key }) => isMatching(key))
    .toSorted(compareBuckets)
    .slice(0, limit);
}

/** The server's own statistics are 32-bit floats. */
function pricesOf(facets: Facets, region: Region): PriceStatistics {
  const counts = facets.get(priceFields(region).price) ?? [];
  return priceStatistics(counts.map(({ value, count }) => ({ price: Number(value), count })));
}

const { title, spellings, description } = textFields;

/** Document fields that `highlightsOfPage` reads. */
const highlightedFields = [title, description];

/** Requests the matched words for `highlightsOfPage`. */
const highlighting = {
  highlight_fields: [title, spellings, description].join(","),
} as const;

/**
 * Highlights of a page by id. The server returns the matched words; they are marked as for any engine, since its tags
 * could occur in a text and its snippets have no maximum length.
 */
function highlightsOfPage(page: CollectionResult): Map<string, Highlights> {
  const matched = (index: number, field: string, matchedIn: readonly string[]) => {
    const text = page.documents[index]?.[field];
    const words = matchedIn.flatMap((name) => page.matches[index]?.get(name) ?? []);
    const wanted = { whole: new Set(words.flatMap((word) => indexWords(word))), begun: [] };
    if (typeof text !== "string") return { text: "", matches: [] };
    return { text, matches: findMatches(text, wanted, { joinsNeighbours: field === title }) };
  };
  return new Map(
    page.documents.map(({ id }, index) => [
      String(id),
      highlightsOf({
        title: matched(index, title, [title, spellings]),
        description: matched(index, description, [description]),
      }),
    ]),
  );
}
