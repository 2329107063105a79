import type { WordPlace } from "../../domain/rank-by-meaning.ts";
import { searchedFacets, textFields } from "./collections.ts";

const { title, spellings, description } = textFields;
const { developer, publisher, tagName } = searchedFacets;

/** Searched fields and their weights. */
const weights = {
  [title]: 9,
  [spellings]: 9,
  [developer]: 5,
  [publisher]: 5,
  [tagName]: 3,
  [description]: 1,
} as const;

/** The place of a field with this weight. */
export function placeOf(weight: number): WordPlace {
  if (weight === weights[description]) return "described";
  return weight === weights[tagName] ? "tagged" : "named";
}

/** Common parameters of text searches: all words are required, and typos count only without exact matches. */
const matching = {
  drop_tokens_threshold: 0,
  min_len_1typo: 4,
  min_len_2typo: 8,
  // Limit of prefixes and typos considered for the last word; default 4.
  max_candidates: 100,
  highlight_fields: "none",
} as const;

const ranking = {
  query_by: Object.keys(weights).join(","),
  query_by_weights: Object.values(weights).join(","),
  // A title ranks above a maker of the same name.
  text_match_type: "max_weight",
  prioritize_num_matching_fields: false,
} as const;

/** No typos or splits. */
const exactly = { num_typos: 0, split_join_tokens: "off" } as const;

/** Parameters to find and rank offers by a text; all offers when it has no letter or digit. */
export function offersByText(text: string | undefined) {
  const query = queryOf(text ?? "");
  return query === undefined ? { q: "*" } : { ...query, ...ranking, ...matching };
}

/** Parameters to find offers by a word, best field first. */
export function offersByWord(word: string) {
  return { ...offersByText(word), ...exactly, prefix: false };
}

/** Parameters to find entries by words; the last may be a prefix. */
export function entriesByText(text: string) {
  const query = queryOf(text);
  return query === undefined ? { q: "*" } : { ...query, query_by: "text", ...matching, ...exactly };
}

/** Splits a text as the server does, without its operators, such as a minus, and without signs within words. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/['’™℠®©℗]/gu, "")
    .replaceAll(/[^\p{L}\p{N}\p{M}._]+/gu, " ")
    .trim()
    .split(" ");
}

/**
 * The words to search, undefined without a letter or digit. The last may be a prefix; it is left out when it is a
 * prefix of another word, since the server matches a word only once.
 */
function queryOf(text: string): { q: string; prefix: boolean } | undefined {
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  const words = wordsOf(text);
  const last = (words.at(-1) ?? "").toLowerCase();
  const isImplied = words.slice(0, -1).some((word) => word.toLowerCase().startsWith(last));
  return { q: (isImplied ? words.slice(0, -1) : words).join(" "), prefix: !isImplied };
}
