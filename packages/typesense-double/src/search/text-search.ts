import type { Collection, StoredDocument } from "../documents/collection.ts";
import type { QueryWord, TextSearch } from "./find-candidates.ts";
import { fuzzySearch } from "./fuzzy-search.ts";
import type { TextQuery } from "./parse-query.ts";
import type { TextMatch } from "./score-match.ts";
import type { SearchField } from "./search-fields.ts";
import type { SearchParameters } from "./search-parameters.ts";
import { splitOrJoin } from "./split-join.ts";

/** Words that are dropped from a query at most. */
const droppedMax = 20;

/** A word that was found, and how much of it the query named. */
export type MatchedWords = ReadonlyMap<string, { length: number; isPrefix: boolean }>;

/**
 * Finds documents by the words of a query: as they are, then split or joined when nothing is found,
 * then with words dropped while fewer than `drop_tokens_threshold` documents are found.
 */
export function searchText(
  collection: Collection,
  fields: readonly SearchField[],
  query: TextQuery,
  parameters: SearchParameters,
  allowed: ReadonlySet<StoredDocument>,
): { matches: Map<StoredDocument, TextMatch>; matchedWords: MatchedWords } {
  const search: TextSearch = {
    collection,
    fields,
    parameters,
    allowed,
    matches: new Map(),
    matchedWords: new Map(),
    tried: new Set(),
  };
  const words = query.words.map((word, index) => ({
    word,
    mayBePrefix: index === query.words.length - 1,
  }));
  fuzzySearch(search, words, []);
  const { splitJoinTokens } = parameters;
  if (
    splitJoinTokens === "always" ||
    (splitJoinTokens === "fallback" && search.matches.size === 0)
  ) {
    searchSplitOrJoined(search, query.words);
  }
  dropWords(search, words);
  return { matches: search.matches, matchedWords: search.matchedWords };
}

function searchSplitOrJoined(search: TextSearch, words: readonly string[]): void {
  for (const { field } of search.fields) {
    const resolved = splitOrJoin(search.collection, field, words);
    if (resolved === undefined) continue;
    const queryWords = resolved.map((word, index) => ({
      word,
      mayBePrefix: index === resolved.length - 1 && word === words.at(-1),
    }));
    fuzzySearch(search, queryWords, []);
    return;
  }
}

/** Drops words from the right, one more each time, then from the left. */
function dropWords(search: TextSearch, words: readonly QueryWord[]): void {
  const { parameters, matches } = search;
  const kept = words.slice(0, droppedMax);
  const attempts = [
    ...kept.keys().map((count) => [kept.slice(0, -count), kept.slice(-count)] as const),
    ...kept.keys().map((count) => [kept.slice(count), kept.slice(0, count)] as const),
  ].filter(([remaining]) => remaining.length > 0 && remaining.length < kept.length);
  for (const [remaining, dropped] of attempts) {
    if (!parameters.exhaustiveSearch && matches.size >= parameters.dropTokensThreshold) return;
    fuzzySearch(
      search,
      remaining,
      dropped.map(({ word }) => word),
    );
  }
}

/** Whether the words stand side by side in one of the fields. */
export function hasPhrase(
  collection: Collection,
  fields: readonly SearchField[],
  stored: StoredDocument,
  phrase: readonly string[],
): boolean {
  return fields.some(({ field }) =>
    collection
      .words(stored, field)
      .some((words) =>
        words.some((_, at) => phrase.every((word, index) => words[at + index] === word)),
      ),
  );
}
