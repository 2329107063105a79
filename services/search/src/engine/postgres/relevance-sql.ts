import type { Parameters } from "./offer-conditions.ts";
import { weighted } from "./text-match.ts";
import type { TextMatch } from "./text-match.ts";

/**
 * Exact title, beginning of the title, all words in the title, then with developer and publisher,
 * with tags, with the description; among those of one kind the shorter title.
 */
export function relevanceSql(match: TextMatch, parameters: Parameters): string {
  const key = parameters.add(match.key);
  const has = (weights: string) =>
    `text.words @@ ${parameters.add(weighted(match, weights))}::tsquery`;
  return `(case
      when text.title_key = ${key} then 6
      when starts_with(text.title_key, ${key}) then 5
      when ${has("A")} then 4
      when ${has("AB")} then 3
      when ${has("ABC")} then 2
      else 1
    end * 1000 - least(length(text.title_key), 999))`;
}
