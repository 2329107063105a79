import { baseGameRank } from "../../domain/type-rank.ts";
import type { Parameters } from "./parameters.ts";
import type { TextMatch } from "./text-match.ts";
import type { TextTable } from "./text-tables.ts";
import { tsquery } from "./tsquery.ts";

/**
 * Exact title; all words in the title, whole; all in the title, the last one begun; then with developer
 * and publisher, with tags, with the description. With all words in the title, base games come first, and
 * before others titles that begin so. What is still alike goes by the rank of the type, then the shorter
 * title.
 *
 * Only `names` is matched here, at most three times, for it may be done for a hundred thousand rows: it
 * has a fraction of the words and is never out of line.
 */
export function relevanceSql(
  match: TextMatch,
  { names, typeRank }: TextTable,
  parameters: Parameters,
): string {
  const key = parameters.add(match.key);
  const has = (weights: string, isWhole = false) =>
    `text.${names} @@ ${parameters.add(tsquery(match.chunks, { weights, isWhole }))}::tsquery`;
  return `(
      case
        when text.title_key = ${key} then 11
        when not ${has("AB")} then case when ${has("ABC")} then 1 else 0 end
        when not ${has("A")} then 2
        else case when ${has("A", true)} then 7 else 3 end
          + case when ${typeRank} = ${baseGameRank} then 2 else 0 end
          + starts_with(text.title_key, ${key})::int
      end * 3000
      + ${typeRank} * 1000
      - least(length(text.title_key), 999)
    )`;
}
