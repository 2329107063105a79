import type { Collection, StoredDocument } from "../documents/collection.ts";
import { isArray } from "../schema/field.ts";
import { findWindow } from "./match-window.ts";
import type { SearchField } from "./search-fields.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** A word that stands for one of the query's. */
export interface MatchedWord {
  word: string;
  typos: number;
  /** Whether it is longer than the query's word and was found as its continuation. */
  isPrefix: boolean;
}

/** How well a document matches; `score` sorts, the rest goes to `text_match_info`. */
export interface TextMatch {
  score: bigint;
  bestFieldScore: bigint;
  bestFieldWeight: number;
  fieldsMatched: number;
  tokensMatched: number;
  typoPrefixScore: number;
}

/**
 * Scores a document that holds all of `words` over the fields. As on the server: more words matched
 * beat the best field's score, that beats the field's weight, and that the number of fields.
 *
 * @param dropped words of the query that need not be there but count when they are.
 */
export function scoreMatch(
  collection: Collection,
  fields: readonly SearchField[],
  stored: StoredDocument,
  words: readonly MatchedWord[],
  dropped: readonly string[],
  parameters: SearchParameters,
): TextMatch {
  const cost = words.reduce((sum, word) => sum + 2 * word.typos + Number(word.isPrefix), 0);
  const wanted = [...words, ...dropped.map((word) => ({ word, typos: 0, isPrefix: false }))];
  const found = new Set<MatchedWord>();
  let best = { score: 0n, weight: 0 };
  let sum = 0n;
  let fieldsMatched = 0;
  for (const field of fields) {
    const elements = collection.words(stored, field.field);
    const present = wanted.filter(
      (word) => isAllowed(word, field) && elements.some((element) => element.includes(word.word)),
    );
    if (present.length === 0) continue;
    for (const word of present) found.add(word);
    fieldsMatched++;
    const score = scoreField(elements, present, cost, words.length, {
      isList: isArray(field.field),
      preferExact: parameters.prioritizeExactMatch,
    });
    sum += BigInt(field.weight) * score;
    const better =
      parameters.textMatchType === "max_weight" ? field.weight > best.weight : score > best.score;
    if (better) best = { score, weight: field.weight };
  }
  const tokensMatched = Math.min(15, found.size);
  const counted = parameters.prioritizeNumMatchingFields ? Math.min(7, fieldsMatched) : 0;
  const middle = {
    max_score: (best.score << 11n) | (BigInt(best.weight) << 3n),
    max_weight: (BigInt(best.weight) << 51n) | (best.score << 3n),
    sum_score: sum << 3n,
  }[parameters.textMatchType];
  return {
    score: (BigInt(tokensMatched) << 59n) | middle | BigInt(counted),
    bestFieldScore: best.score,
    bestFieldWeight: best.weight,
    fieldsMatched,
    tokensMatched,
    typoPrefixScore: cost,
  };
}

/** Whether a field takes part in a match of this kind: its own `num_typos` and `prefix` decide. */
export function isAllowed(word: MatchedWord, field: SearchField): boolean {
  return word.typos <= field.numTypos && (!word.isPrefix || field.prefix);
}

/** The score of the element that matches best: words, then typos, then nearness, then wholeness. */
function scoreField(
  elements: readonly string[][],
  present: readonly MatchedWord[],
  cost: number,
  queryWords: number,
  options: { isList: boolean; preferExact: boolean },
): bigint {
  const scores = elements.map((element) => {
    const places = present
      .map(({ word }) => element.flatMap((held, at) => (held === word ? [at] : [])))
      .filter((at) => at.length > 0);
    if (places.length === 0) return 0n;
    const window = findWindow(places, element.length);
    const unique = options.isList ? window.words : present.length;
    const isExact =
      options.preferExact &&
      window.isWhole &&
      (present.length > 1 || (queryWords === 1 && cost === 0));
    return pack(window.words, unique, 255 - Math.min(255, cost), 100 - window.distance, isExact);
  });
  return scores.reduce((most, score) => (score > most ? score : most), 0n);
}

function pack(words: number, unique: number, typo: number, near: number, exact: boolean): bigint {
  return (
    (BigInt(words) << 40n) |
    (BigInt(unique) << 32n) |
    (BigInt(typo) << 24n) |
    (BigInt(near) << 16n) |
    (BigInt(exact) << 12n) |
    1n
  );
}
