import {
  maxHolders,
  nearestCount,
  rankByMeaning,
  tellingWords,
  wordPlaces,
} from "../../domain/rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "../../domain/rank-by-meaning.ts";
import type { MeaningHit, QueryVector, TextMeaningSearch } from "../offer-search.ts";
import type { collectionsOf } from "./collections.ts";
import { allConditions, hasAll } from "./filter-by.ts";
import type { SearchDependencies } from "./search-offers.ts";
import { selectionConditions } from "./search-offers.ts";
import { nearestTo } from "./nearest.ts";
import { anyOffer } from "./offer-conditions.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import type { CollectionAnswer } from "./search-collections.ts";
import { wordToken } from "./tokens.ts";

/** Fields with the words of a place and of all better ones. */
const fieldOf: Readonly<Record<WordPlace, string>> = {
  named: "named_words",
  tagged: "tagged_words",
  described: "all_words",
};

/** Joins the ranking by vectors with that by words. */
export async function searchByMeaning(
  deps: SearchDependencies,
  collections: ReturnType<typeof collectionsOf>,
  search: TextMeaningSearch | (TextMeaningSearch & QueryVector),
): Promise<MeaningHit[]> {
  const { text, limit, among } = search;
  const common = { collection: collections.offers, q: "*", include_fields: "id" };
  const conditions =
    among === undefined ? [anyOffer] : await selectionConditions(deps, collections, among);
  const filter_by = allConditions(conditions);
  const words = tellingWords(text);
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
