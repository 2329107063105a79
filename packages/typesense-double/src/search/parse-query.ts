import type { Collection } from "../documents/collection.ts";
import type { SearchField } from "./search-fields.ts";

/** A text query in its parts. */
export interface TextQuery {
  /** Words to be found; the last one may be the beginning of a word. */
  words: string[];
  /** Lists of words that have to stand side by side. */
  phrases: string[][];
  /** Words and phrases that must not occur. */
  excluded: string[][];
}

/**
 * Reads `q` by the rules of the heaviest field: `-word` and `-"a phrase"` exclude, `"a phrase"`
 * wants its words side by side. A query of punctuation only has no words at all.
 */
export function parseQuery(
  collection: Collection,
  fields: readonly SearchField[],
  q: string,
): TextQuery {
  const query: TextQuery = { words: [], phrases: [], excluded: [] };
  const [heaviest] = fields;
  if (heaviest === undefined) return query;
  const cutWords = collection.tokenizer(heaviest.field);
  const hasExclusion = !collection.tokenRules(heaviest.field).symbols.includes("-");
  for (const [whole] of q.matchAll(hasExclusion ? /-?"[^"]*"|\S+/gu : /"[^"]*"|\S+/gu)) {
    const isExcluded = hasExclusion && whole.startsWith("-");
    const part = isExcluded ? whole.slice(1) : whole;
    const words = cutWords(part);
    if (words.length === 0) continue;
    const isPhrase = part.startsWith('"');
    if (isExcluded) query.excluded.push(...(isPhrase ? [words] : words.map((word) => [word])));
    else if (isPhrase) query.phrases.push(words);
    else query.words.push(...words);
  }
  return query;
}
