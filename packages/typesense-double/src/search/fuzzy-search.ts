import { findCandidates } from "./find-candidates.ts";
import type { QueryWord, TextSearch } from "./find-candidates.ts";
import { isAllowed, scoreMatch } from "./score-match.ts";
import type { MatchedWord } from "./score-match.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** Combinations of typos, and of words in several fields, that are tried at most. */
const combinationsMax = 10;

/**
 * Finds the documents that hold all the words, each in one of the fields, with ever more typos as
 * long as fewer than `typo_tokens_threshold` documents are found.
 */
export function fuzzySearch(
  search: TextSearch,
  words: readonly QueryWord[],
  dropped: readonly string[],
): void {
  const { parameters } = search;
  const costs = words.map(({ word }) => typosAllowed(Buffer.byteLength(word), parameters));
  const limit = parameters.exhaustiveSearch ? 10_000 : combinationsMax;
  for (let tried = 0; tried < Math.min(limit, product(costs)); tried++) {
    // The last word's cost changes fastest.
    const typos = pick(costs.toReversed(), tried).toReversed();
    const candidates = findCandidates(search, words, typos, dropped.length > 0);
    if (typeof candidates === "number") {
      // No word has so many typos: forget that cost and begin anew.
      const left = costs[candidates]?.filter((cost) => cost !== typos[candidates]) ?? [];
      if (left.length === 0) return;
      costs[candidates] = left;
      tried = -1;
    } else {
      searchCandidates(search, words, typos, candidates, dropped);
    }
    if (!parameters.exhaustiveSearch && search.matches.size >= parameters.typoTokensThreshold) {
      return;
    }
  }
}

function typosAllowed(lengthBytes: number, parameters: SearchParameters): number[] {
  if (lengthBytes < parameters.minLength1Typo) return [0];
  return lengthBytes < parameters.minLength2Typo ? [0, 1] : [0, 1, 2];
}

function searchCandidates(
  search: TextSearch,
  words: readonly QueryWord[],
  typos: readonly number[],
  candidates: readonly string[][],
  dropped: readonly string[],
): void {
  const { fields, parameters } = search;
  const single = fields.length === 1 && fields[0]?.prefix === true;
  const limit = single
    ? parameters.maxCandidates
    : Math.max(combinationsMax, parameters.maxCandidates);
  for (let tried = 0; tried < Math.min(limit, product(candidates)); tried++) {
    const chosen = pick(candidates, tried).map((word, index): MatchedWord => {
      const sizeBytes = Buffer.byteLength(words[index]?.word ?? "");
      const cost = typos[index] ?? 0;
      const isPrefix =
        words[index]?.mayBePrefix === true && Buffer.byteLength(word) > sizeBytes + cost;
      return { word, typos: cost, isPrefix };
    });
    const key = chosen.map(({ word }) => word).join(" ");
    if (search.tried.has(key)) continue;
    search.tried.add(key);
    searchWords(search, words, chosen, dropped);
  }
}

/** Takes up every document that holds all the words, each in one of the fields it may be in. */
function searchWords(
  search: TextSearch,
  words: readonly QueryWord[],
  chosen: readonly MatchedWord[],
  dropped: readonly string[],
): void {
  const { collection, fields, allowed, matches, parameters } = search;
  const holders = chosen.flatMap((word) => {
    const searched = fields.filter((field) => isAllowed(word, field));
    const lists = searched.map(({ field }) => collection.vocabulary(field).get(word.word) ?? []);
    const together = new Set(lists.flat());
    return together.size > 0 ? [together] : [];
  });
  const [first, ...others] = holders;
  if (first === undefined) return;
  let found = false;
  for (const stored of first) {
    if (!allowed.has(stored) || !others.every((set) => set.has(stored))) continue;
    const match = scoreMatch(collection, fields, stored, chosen, dropped, parameters);
    const known = matches.get(stored);
    if (known === undefined || match.score > known.score) matches.set(stored, match);
    found = true;
  }
  if (!found) return;
  for (const [index, { word, isPrefix }] of chosen.entries()) {
    search.matchedWords.set(word, { length: words[index]?.word.length ?? word.length, isPrefix });
  }
}

function product(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((count, list) => count * list.length, 1);
}

/** The n-th combination of one entry of each list; the first list's changes fastest, as on the server. */
function pick<Entry>(lists: readonly (readonly Entry[])[], n: number): Entry[] {
  let rest = n;
  return lists.flatMap((list) => {
    const entry = list.slice(rest % list.length).slice(0, 1);
    rest = Math.floor(rest / list.length);
    return entry;
  });
}
