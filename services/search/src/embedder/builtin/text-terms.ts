import { isFunctionWord, indexWords } from "../../domain/text-words.ts";
import type { OfferText } from "../embedder.ts";

/** Weights of fields: makers say little about a game's content. */
const weights = { title: 1, tags: 2, description: 1, makers: 0.5 } as const;

/** Long descriptions repeat themselves. */
const maxDescriptionLength = 4_000;

/** Terms of a text and their counts. */
export type Terms = ReadonlyMap<string, number>;

/** Stems of a query's words. */
export function queryTerms(text: string): Terms {
  const terms = new Map<string, number>();
  add(terms, text, 1);
  return terms;
}

/** Stems of an offer's words, weighted by field. */
export function offerTerms({ title, tags, description, developer, publisher }: OfferText): Terms {
  const terms = new Map<string, number>();
  add(terms, title, weights.title);
  for (const tag of tags) add(terms, tag, weights.tags);
  add(terms, description.slice(0, maxDescriptionLength), weights.description);
  add(terms, developer, weights.makers);
  if (publisher !== developer) add(terms, publisher, weights.makers);
  return terms;
}

function add(terms: Map<string, number>, text: string, weight: number): void {
  for (const word of indexWords(text)) {
    if (isFunctionWord(word)) continue;
    const term = stem(word);
    terms.set(term, (terms.get(term) ?? 0) + weight);
  }
}

const latinWord = /^[a-z]+$/;
const doubled = /([b-df-hj-np-tv-z])\1$/;

/**
 * A rough key for the inflected forms of an English word: removes plurals, -ing, -ed, -er, -ly and a final e. Words in
 * other scripts are unchanged.
 */
export function stem(word: string): string {
  if (word.length < 4 || !latinWord.test(word)) return word;
  let base = word;
  if (base.endsWith("ies") && base.length > 4) base = `${base.slice(0, -3)}y`;
  else if (base.endsWith("s") && !base.endsWith("ss") && !base.endsWith("us")) {
    base = base.slice(0, -1);
  }
  const ending = ["ing", "ed", "er", "ly"].find(
    (each) => base.endsWith(each) && base.length - each.length >= 3,
  );
  if (ending !== undefined) {
    base = base.slice(0, -ending.length);
    if (doubled.test(base) && !/[lsz]$/.test(base)) base = base.slice(0, -1);
  }
  if (base.length > 3 && base.endsWith("e")) base = base.slice(0, -1);
  if (base.length > 3 && base.endsWith("y")) base = `${base.slice(0, -1)}i`;
  return base;
}
