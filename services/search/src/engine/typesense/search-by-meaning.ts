import {
  maxHolders,
  nearestCount,
  rankByMeaning,
  contentWords,
  wordPlaces,
} from "../../domain/rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "../../domain/rank-by-meaning.ts";
import type { MeaningHit, QueryVector, TextMeaningSearch } from "../offer-search.ts";
import type { Collections } from "./collections.ts";
import { allConditions, hasAll } from "./filter-by.ts";
import { anyOffer } from "./offer-conditions.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import type { CollectionAnswer } from "./search-collections.ts";
import { selectionConditions } from "./search-offers.ts";
import type { SearchDependencies } from "./search-offers.ts";
import { wordToken } from "./tokens.ts";
import { embedding, vectorFields } from "./vector-fields.ts";

/** Fields with the words of a place and of all better ones. */
const fieldOf: Readonly<Record<WordPlace, string>> = {
  named: "named_words",
  tagged: "tagged_words",
  described: "all_words",
};

/** Joins the ranking by vectors with that by words. */
export async function searchByMeaning(
  deps: SearchDependencies,
  collections: Collections,
  search: TextMeaningSearch | (TextMeaningSearch & QueryVector),
): Promise<MeaningHit[]> {
  const { text, limit, among } = search;
  const common = { collection: collections.offers, q: "*", include_fields: "id" };
  const selection = among && (await selectionConditions(deps, collections, among));
  const conditions = selection?.conditions ?? [anyOffer];
  const filter_by = allConditions(conditions);
  const words = contentWords(text);
  const [all, nearest, ...answers] = await searchCollections(deps.client, [
    { ...common, filter_by, limit: 0 },
    { ...common, ...nearestTo(search, conditions, nearestCount) },
    ...words.flatMap((word) =>
      wordPlaces.map((place) => ({
        ...common,
        filter_by: allConditions([...conditions, hasAll(fieldOf[place], [wordToken(word)])]),
        limit: maxHolders,
      })),
    ),
  ]);
  const near = idsOf(nearest).map((key, at) => ({ key, cosine: 1 - (nearest.distances[at] ?? 1) }));
  const scores = rankByMeaning(
    near.filter(({ cosine }) => cosine > 0),
    words.map((_, at) => holdersOf(answers.slice(at * wordPlaces.length))),
    all.found,
  );
  return [...scores]
    .map(([offerId, score]) => ({ offerId, score }))
    .toSorted((a, b) => b.score - a.score || (a.offerId < b.offerId ? -1 : 1))
    .slice(0, limit);
}

/** Of a word, by the answers for its places, best first. */
function holdersOf(answers: readonly CollectionAnswer[]): WordHolders<string> {
  const holders = new Map<string, WordPlace>();
  for (const [at, place] of wordPlaces.entries()) {
    const answer = answers[at];
    if (answer === undefined || answer.found > maxHolders) continue;
    for (const id of idsOf(answer)) if (!holders.has(id)) holders.set(id, place);
  }
  return { found: answers[wordPlaces.length - 1]?.found ?? 0, holders };
}

/**
 * Longest wait of the server for the endpoint of a model, in milliseconds; less than this package waits
 * for the server, which then can say whose fault it is.
 */
const endpointTimeoutMs = 1_500;

/** What fewer offers fulfil is searched in full: the graph of vectors leads past what is rare. */
const flatSearchCutoff = 20_000;

/**
 * Parameters of a search for the nearest offers that fulfil conditions: to the vector, or to one that
 * the server makes of the text.
 */
function nearestTo(
  search: TextMeaningSearch | (TextMeaningSearch & QueryVector),
  conditions: readonly string[],
  limit: number,
) {
  const options = `k:${limit}, flat_search_cutoff:${flatSearchCutoff}`;
  if ("vector" in search) {
    const field = vectorFields[search.space?.set ?? 0];
    return {
      q: "*",
      filter_by: allConditions(conditions),
      vector_query: `${field}:([${search.vector.join(",")}], ${options})`,
      limit,
    };
  }
  // An asterisk alone would find everything.
  const text = search.text.replaceAll("*", " ").trim();
  return {
    q: text === "" ? search.text.length.toString() : text,
    query_by: embedding.vector,
    // Models of an endpoint refuse it.
    prefix: false,
    filter_by: allConditions([...conditions, `${embedding.counts}:true`]),
    vector_query: `${embedding.vector}:([], ${options})`,
    remote_embedding_timeout_ms: endpointTimeoutMs,
    remote_embedding_num_tries: 1,
    limit,
  };
}
