import type { WordPlace } from "../../domain/rank-by-meaning.ts";
import { searchedFacets, textFields } from "./collections.ts";

const { title, spellings, description } = textFields;
const { developer, publisher, tagName } = searchedFacets;

/** Where words of a text are looked for, and what each place weighs. */
const weights = {
  [title]: 9,
  [spellings]: 9,
  [developer]: 5,
  [publisher]: 5,
  [tagName]: 3,
  [description]: 1,
} as const;

/** Where a word stands that was found in a field of this weight. */
export function placeOf(weight: number): WordPlace {
  if (weight === weights[description]) return "described";
  return weight === weights[tagName] ? "tagged" : "named";
}

/** What a search by words has beside them: all must be there, and as they are unless there are none. */
const matching = {
  drop_tokens_threshold: 0,
  min_len_1typo: 4,
  min_len_2typo: 8,
  // Of the words that begin as the last one, and of those that one may be misspelt for; else 4.
  max_candidates: 100,
  highlight_fields: "none",
} as const;

const ranking = {
  query_by: Object.keys(weights).join(","),
  query_by_weights: Object.values(weights).join(","),
  // A title counts before a maker of the same name.
  text_match_type: "max_weight",
  prioritize_num_matching_fields: false,
} as const;

/** For words as they are. */
const exactly = { num_typos: 0, split_join_tokens: "off" } as const;

/** Parameters that find offers by a text and rank them; all of them when it has no letter or digit. */
export function offersByText(text: string | undefined) {
  const query = queryOf(text ?? "");
  return query === undefined ? { q: "*" } : { ...query, ...ranking, ...matching };
}

/** Parameters that find offers by a word, those first in whose best place it stands. */
export function offersByWord(word: string) {
  return { ...offersByText(word), ...exactly, prefix: false };
}

/** Parameters that find entries by words; the last may be a prefix. */
export function entriesByText(text: string) {
  const query = queryOf(text);
  return query === undefined ? { q: "*" } : { ...query, query_by: "text", ...matching, ...exactly };
}

/** Words of a text as the server cuts them: it knows operators, such as a minus, and leaves out what is within a word. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/['’™℠®©℗]/gu, "")
    .replaceAll(/[^\p{L}\p{N}\p{M}._]+/gu, " ")
    .trim()
    .split(" ");
}

/**
 * Words to search by, undefined when there is no letter or digit. The last may be the beginning of one; it is left out
 * where another word begins so, since the server matches a word once.
 */
function queryOf(text: string): { q: string; prefix: boolean } | undefined {
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  const words = wordsOf(text);
  const last = (words.at(-1) ?? "").toLowerCase();
  const isImplied = words.slice(0, -1).some((word) => word.toLowerCase().startsWith(last));
  return { q: (isImplied ? words.slice(0, -1) : words).join(" "), prefix: !isImplied };
}
