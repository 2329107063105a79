import type { Collection, StoredDocument } from "../documents/collection.ts";
import type { Field } from "../schema/field.ts";
import { byWeight } from "../text/words-beginning-with.ts";
import { editDistance, prefixDistance } from "../text/edit-distance.ts";

/** Which words of a field may stand for a word of the query. */
export interface WordSearch {
  word: string;
  /** Exactly so many typos. */
  typos: number;
  /** Whether the query's word may be a beginning. */
  prefix: boolean;
  /** Words that are taken already. */
  taken: ReadonlySet<string>;
  /** The documents that a word has to occur in one of. */
  allowed: ReadonlySet<StoredDocument>;
  /** Most words that are given. */
  max: number;
}

/** The words of a field that fit, the very word first, then by weight. */
export function findWords(collection: Collection, field: Field, search: WordSearch): string[] {
  const { word, typos, prefix, taken, allowed, max } = search;
  const vocabulary = collection.vocabulary(field);
  const fits = (candidate: string): boolean => {
    if (typos === 0) return prefix ? candidate.startsWith(word) : candidate === word;
    // A letter is up to four bytes, and typos are counted in bytes.
    if (!prefix && Math.abs(candidate.length - word.length) > typos) return false;
    if (prefix && candidate.length < word.length - typos) return false;
    const distance = prefix
      ? prefixDistance(word, candidate, typos)
      : editDistance(word, candidate);
    return distance === typos;
  };
  const candidates = typos === 0 && !prefix ? exactly(vocabulary, word) : [...vocabulary];
  const fitting = candidates.filter(
    ([candidate, holders]) =>
      !taken.has(candidate) && fits(candidate) && holders.some((stored) => allowed.has(stored)),
  );
  return byWeight(collection, fitting, word).slice(0, max);
}

function exactly(
  vocabulary: ReadonlyMap<string, readonly StoredDocument[]>,
  word: string,
): [string, readonly StoredDocument[]][] {
  const holders = vocabulary.get(word);
  return holders === undefined ? [] : [[word, holders]];
}
