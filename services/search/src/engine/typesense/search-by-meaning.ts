import {
  contentWords,
  isDistinctive,
  maxHolders,
  nearestCount,
  rankByMeaning,
} from "../../domain/rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "../../domain/rank-by-meaning.ts";
import type {
  MeaningHit,
  OfferSelection,
  QueryVector,
  TextMeaningSearch,
} from "../offer-search.ts";
import { orderFields } from "./collections.ts";
import type { Collections } from "./collections.ts";
import { allConditions, anyOffer, offerConditions } from "./offer-conditions.ts";
import { listOffers } from "./list-offers.ts";
import { orderOf, embedding, vectorFields } from "./offer-fields.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import type { CollectionResult } from "./search-collections.ts";
import { offersByText, offersByWord, placeOf } from "./search-text.ts";
import type { MultiSearch } from "./typesense-client.ts";

/** Combines the rankings by vectors and by words. */
export async function searchByMeaning(
  multiSearch: MultiSearch,
  collections: Collections,
  search: TextMeaningSearch | (TextMeaningSearch & QueryVector),
): Promise<MeaningHit[]> {
  const { text, limit, among } = search;
  const { conditions, ids } = await conditionsOf(multiSearch, collections, among);
  if (ids?.size === 0) return [];
  const isAmong = (id: string) => ids?.has(id) ?? true;
  const found = { collection: collections.offers, q: "*", filter_by: allConditions(conditions) };
  const byWord = contentWords(text).map((word) => ({ ...found, ...offersByWord(word) }));
  const [all, nearest, ...counts] = await searchCollections(multiSearch, [
    { ...found, limit: 0 },
    { ...found, include_fields: "id", ...nearestTo(search, conditions, nearestCount) },
    ...byWord.map((counted) => ({ ...counted, limit: 0 })),
  ]);
  // The server reads a whole offer for each hit, and most words of a sentence are too common.
  const words = byWord.filter((_, at) => isDistinctive(counts[at]?.found ?? 0, all.found));
  const results =
    words.length === 0
      ? []
      : await searchCollections(
          multiSearch,
          words.map((word) => ({ ...word, include_fields: "id", limit: maxHolders })),
        );
  const near = idsOf(nearest).map((key, at) => ({ key, cosine: 1 - (nearest.distances[at] ?? 1) }));
  const scores = rankByMeaning(
    near.filter(({ key, cosine }) => cosine > 0 && isAmong(key)),
    results.map((result) => holdersOf(result, isAmong)),
    all.found,
  );
  return [...scores]
    .map(([offerId, score]) => ({ offerId, score }))
    .toSorted((a, b) => b.score - a.score || (a.offerId < b.offerId ? -1 : 1))
    .slice(0, limit);
}

/** Maximum offers that a text selects. */
const maxByText = 10_000;

/**
 * Conditions of the candidates. A search has one text or vector, so the results of another text become a filter by the
 * order number of the first 8 bytes of their ids: others with the same bytes pass too; `ids` excludes them from the
 * results, not from the server's counts.
 */
async function conditionsOf(
  multiSearch: MultiSearch,
  collections: Collections,
  among: OfferSelection | undefined,
): Promise<{ conditions: string[]; ids?: ReadonlySet<string> }> {
  if (among === undefined) return { conditions: [anyOffer] };
  if (offersByText(among.filter.text).q === "*") return { conditions: offerConditions(among) };
  const order = { key: "relevance", isAscending: false } as const;
  const ids = await listOffers(multiSearch, collections, { ...among, order, limit: maxByText });
  const [field] = orderFields.id;
  const places = new Set(ids.map((id) => orderOf(id)[field]));
  return { conditions: [anyOffer, `${field}:[${[...places].join(",")}]`], ids: new Set(ids) };
}

/** Offers with a word, in all places except one that the result covers only in part. */
function holdersOf(
  result: CollectionResult,
  isAmong: (id: string) => boolean,
): WordHolders<string> {
  const places = result.weights.map((weight) => placeOf(weight ?? 0));
  const cut = result.found > maxHolders ? places.at(-1) : undefined;
  const holders = idsOf(result).flatMap((id, at): [string, WordPlace][] => {
    const place = places[at];
    return place === undefined || place === cut || !isAmong(id) ? [] : [[id, place]];
  });
  return { found: result.found, holders };
}

/**
 * Longest wait of the server for a model's endpoint, in milliseconds; less than this client's timeout, so that the
 * server can report the cause.
 */
const endpointTimeoutMs = 1_500;

/** Below this many candidates the server compares all: its vector graph misses rare ones. */
const flatSearchCutoff = 20_000;

/** Parameters of a search for the nearest candidates, by the vector or the server's vector of the text. */
function nearestTo(
  search: TextMeaningSearch | (TextMeaningSearch & QueryVector),
  conditions: readonly string[],
  limit: number,
) {
  const options = `k:${limit}, flat_search_cutoff:${flatSearchCutoff}`;
  if ("vector" in search) {
    const { vector, counts } = vectorFields[search.space?.set ?? 0];
    return {
      q: "*",
      filter_by: allConditions([...conditions, `${counts}:true`]),
      vector_query: `${vector}:([${search.vector.join(",")}], ${options})`,
      limit,
    };
  }
  // A single asterisk would match everything.
  const text = search.text.replaceAll("*", " ").trim();
  return {
    q: text === "" ? search.text.length.toString() : text,
    query_by: embedding.vector,
    // Required for models of an endpoint.
    prefix: false,
    filter_by: allConditions([...conditions, `${embedding.counts}:true`]),
    vector_query: `${embedding.vector}:([], ${options})`,
    remote_embedding_timeout_ms: endpointTimeoutMs,
    remote_embedding_num_tries: 1,
    limit,
  };
}
