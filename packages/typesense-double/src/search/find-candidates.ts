import type { Collection, StoredDocument } from "../documents/collection.ts";
import { findWords } from "./find-words.ts";
import type { TextMatch } from "./score-match.ts";
import type { SearchField } from "./search-fields.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** A word of the query. */
export interface QueryWord {
  word: string;
  /** Whether it may be the beginning of a word: true of the query's last one. */
  mayBePrefix: boolean;
}

/** What a text query runs over, and what it has found so far. */
export interface TextSearch {
  collection: Collection;
  fields: readonly SearchField[];
  parameters: SearchParameters;
  /** The documents that the filter and the exclusions leave. */
  allowed: ReadonlySet<StoredDocument>;
  matches: Map<StoredDocument, TextMatch>;
  /** Words that have been looked for and found, by which texts are highlighted. */
  matchedWords: Map<string, { length: number; isPrefix: boolean }>;
  /** The combinations that have been tried, joined by spaces. */
  tried: Set<string>;
}

/**
 * The words that may stand for each word of the query with so many typos or, when none is found for
 * one of them, the index of that one. The query's last word prefers words that share a document and
 * field with the word before it; a word stands for one word of the query only.
 *
 * @param isShortened whether words have been dropped: then there is no such preference.
 */
export function findCandidates(
  search: TextSearch,
  words: readonly QueryWord[],
  typos: readonly number[],
  isShortened: boolean,
): string[][] | number {
  const { collection, fields, parameters } = search;
  const max = parameters.maxCandidates;
  const taken = new Set<string>();
  const cached = new Map<string, string[]>();
  const candidates: string[][] = [];
  for (const [index, { word, mayBePrefix }] of words.entries()) {
    const cost = typos[index] ?? 0;
    const key = `${word} ${cost}`;
    const previous = candidates.at(-1)?.[0];
    const isLast = index === words.length - 1 && previous !== undefined && !isShortened;
    const found: string[] = cached.get(key) ?? [];
    const passes = isLast && fields.length > 1 ? [true, false] : [isLast];
    for (const beside of found.length > 0 ? [] : passes) {
      for (const { field, numTypos, prefix } of fields) {
        if (cost > numTypos || found.length >= max) continue;
        const neighbours = collection.vocabulary(field).get(previous ?? "") ?? [];
        const allowed = beside
          ? new Set(neighbours.filter((stored) => search.allowed.has(stored)))
          : search.allowed;
        const more = findWords(collection, field, {
          word,
          typos: cost,
          prefix: prefix && mayBePrefix,
          taken,
          allowed,
          max,
        });
        for (const candidate of more) taken.add(candidate);
        found.push(...more);
      }
    }
    if (found.length === 0) return index;
    cached.set(key, found);
    candidates.push(found);
  }
  return candidates;
}
