import type { Queryable } from "@storefront/database";
import { maxBuckets } from "../../domain/count-offers.ts";
import { findMatches, markedWords } from "../../domain/find-matches.ts";
import { highlightsOf } from "../../domain/highlights.ts";
import type { Highlights } from "../../domain/highlights.ts";
import { ownFilters } from "../../domain/offer-filter.ts";
import type { OwnFilter } from "../../domain/offer-filter.ts";
import { countedFields, facetFields } from "../../domain/offer-terms.ts";
import { readOfferRecords } from "../../store/source-offer-store.ts";
import type { FacetCounts, OfferHits, OfferSearch, OfferSelection } from "../offer-search.ts";
import type { SearchChunk } from "../text-match.ts";
import { pageOf } from "./columns/found-offers.ts";
import { countTerms } from "./columns/packed-lists.ts";
import { priceStatistics } from "./columns/price-columns.ts";
import { timesOf } from "./columns/sort-keys.ts";
import { readFound } from "./read-found.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { termBuckets } from "./term-buckets.ts";
import { Turns } from "./turns.ts";

/** A page of search results, with counts over all of them, or over the results without a filter. */
export async function searchOffers(
  deps: SearchDependencies,
  generation: number,
  search: OfferSearch,
): Promise<OfferHits> {
  const { aggregations: requested, order, limit, facetQuery, highlight = false } = search;
  const { bucketsMax = maxBuckets } = search;
  const ownOf = ownFilters(search);
  const counted = requested.flatMap((name) => {
    const field = name === "prices" ? undefined : countedFields.get(name);
    return field === undefined ? [] : [{ name, kind: field.kind, own: ownOf.get(name) }];
  });
  const narrowedField = facetQuery && countedFields.get(facetQuery.of);
  const narrowed = narrowedField && { kind: narrowedField.kind, text: facetQuery.text };
  const isCounted = counted.some(({ own }) => own === undefined);
  const { chunks, counts, countsWithout, prices, ...page } = await readFound(
    deps,
    generation,
    search,
    {
      isRanked: limit > 0,
      times: timesOf(order.key),
      lifted: new Set(ownOf.values()),
    },
    async ({ found, foundWithout, text, columns, turns }) => {
      const { offerIds, end } = pageOf(found, columns, search, text);
      await turns.after(found.length);
      const priceOwn = ownOf.get("prices");
      const priced = priceOwn === undefined ? found : await foundWithout(priceOwn);
      const statistics = priceStatistics(priced, columns.prices);
      await turns.after(priced.length);
      const without = new Map<OwnFilter, Int32Array>();
      for (const { own } of counted) {
        if (own === undefined) continue;
        const offers = await foundWithout(own);
        without.set(own, countTerms(offers, columns.offers.facets));
        await turns.after(offers.length);
      }
      return {
        offerIds,
        end,
        total: found.length,
        chunks: text?.chunks,
        prices: statistics,
        counts: isCounted ? countTerms(found, columns.offers.facets) : new Int32Array(),
        countsWithout: without,
      };
    },
  );
  const bucketsOf = async (own: OwnFilter | undefined, of: Int32Array) => {
    const fields = counted.filter((field) => field.own === own);
    const kinds = fields.map(({ kind }) => kind);
    const buckets = await termBuckets(deps, of, kinds, { limit: bucketsMax, narrowed });
    return fields.map(({ name, kind }) => [name, buckets.get(kind) ?? []] as const);
  };
  const overFound = await bucketsOf(undefined, counts);
  const overOthers = await Promise.all([...countsWithout].map((each) => bucketsOf(...each)));
  return {
    ...page,
    aggregations: {
      ...Object.fromEntries([...overFound, ...overOthers.flat()]),
      ...(requested.includes("prices") && { prices }),
    },
    isTimedOut: false,
    ...(highlight &&
      chunks !== undefined && {
        highlights: await highlightOffers(deps.database, page.offerIds, chunks),
      }),
  };
}

/** Counts over all results. */
export async function countFacets(
  deps: SearchDependencies,
  generation: number,
  selection: OfferSelection,
): Promise<FacetCounts> {
  const { counts, ...all } = await readFound(
    deps,
    generation,
    selection,
    {},
    async ({ found, columns, turns }) => {
      const prices = priceStatistics(found, columns.prices);
      await turns.after(found.length);
      const counted = countTerms(found, columns.offers.terms);
      return { total: found.length, prices, counts: counted };
    },
  );
  const facets = [...facetFields].map(([name, { kind }]) => ({ name, kind }));
  const kinds = facets.map(({ kind }) => kind);
  const buckets = await termBuckets(deps, counts, kinds);
  return {
    buckets: Object.fromEntries(facets.map(({ name, kind }) => [name, buckets.get(kind) ?? []])),
    ...all,
  };
}

/** Code units read between two yields: some milliseconds. */
const readPerTurn = 20_000;

/**
 * Matches in titles and descriptions, by offer id. The index has only words, so the texts are those of the stored
 * records, which are written in the same transaction.
 */
async function highlightOffers(
  queryable: Queryable,
  offerIds: readonly string[],
  chunks: readonly SearchChunk[],
): Promise<Map<string, Highlights>> {
  const wanted = markedWords(chunks);
  const turns = new Turns(readPerTurn);
  const highlights = new Map<string, Highlights>();
  const matched = (text: string, joinsNeighbours: boolean) => ({
    text,
    matches: findMatches(text, wanted, { joinsNeighbours }),
  });
  for (const offer of await readOfferRecords(queryable, offerIds)) {
    const { id, title = "", description = "" } = offer;
    highlights.set(
      id,
      highlightsOf({ title: matched(title, true), description: matched(description, false) }),
    );
    await turns.after(title.length + description.length);
  }
  return highlights;
}
