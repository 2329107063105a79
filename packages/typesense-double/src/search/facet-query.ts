import type { Collection, StoredDocument } from "../documents/collection.ts";
import { isString } from "../schema/field.ts";
import { fuzzySearch } from "./fuzzy-search.ts";
import type { Facet } from "./parse-facets.ts";
import type { SearchParameters } from "./search-parameters.ts";

/**
 * Which values of a facet its `facet_query` leaves: a prefix search with typos over texts (one
 * typo from 3 letters, two from 7), a prefix of the number's text for others.
 */
export function facetQueryTest(
  collection: Collection,
  facet: Facet,
  found: readonly StoredDocument[],
  parameters: SearchParameters,
): (value: string) => boolean {
  const { field, query } = facet;
  if (query === undefined) return () => true;
  if (!isString(field)) return (value) => value.startsWith(query);
  const cutWords = collection.tokenizer(field);
  const words = cutWords(query);
  if (words.length === 0) return () => true;
  const tried = new Set<string>();
  fuzzySearch(
    {
      collection,
      fields: [{ field, weight: 1, numTypos: parameters.facetQueryNumTypos, prefix: true }],
      parameters: {
        ...parameters,
        typoTokensThreshold: 1,
        minLength1Typo: 3,
        minLength2Typo: 7,
        exhaustiveSearch: false,
      },
      allowed: new Set(found),
      matches: new Map(),
      matchedWords: new Map(),
      tried,
    },
    words.map((word, index) => ({ word, mayBePrefix: index === words.length - 1 })),
    [],
  );
  const combinations = Array.from(tried, (combination) => combination.split(" "));
  return (value) => {
    const held = cutWords(value);
    return combinations.some((combination) => combination.every((word) => held.includes(word)));
  };
}
