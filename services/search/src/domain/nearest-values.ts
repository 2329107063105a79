import { containing } from "./facet-query.ts";
import { partsOfLabel } from "./label.ts";
import { foldText, textKey } from "./text-words.ts";

/** Maximum suggested values. */
const nearestMax = 5;

/** Values compared by words and letters: the most frequent ones, in some 20 ms. */
const comparedMax = 2_000;

/** Longest text that is compared letter by letter. */
const comparedLength = 64;

/** Scores, lowest first; `compared` is raised by the edit distance. */
const same = 0;
const contains = 1;
const compared = 2;

/**
 * Suggestions for a value that no offer has, nearest first: equal except for case, accents and punctuation;
 * containing it; differing in few letters.
 *
 * @param values most frequent first; labels are compared by name
 */
export function nearestValues(typed: string, values: readonly string[]): string[] {
  const key = textKey(typed);
  if (key === "") return [];
  const isContaining = containing(typed);
  const editsMax = Math.max(1, Math.floor(key.length / 4));
  const folded = foldText(typed);
  const near = values.flatMap((value, index) => {
    const { name } = partsOfLabel(value);
    if (index >= comparedMax) return foldText(name) === folded ? [{ value, score: same }] : [];
    const other = textKey(name);
    if (other === key) return [{ value, score: same }];
    if (isContaining(value)) return [{ value, score: contains }];
    if (key.length > comparedLength || Math.abs(other.length - key.length) > editsMax) return [];
    const edits = distance(key, other);
    return edits <= editsMax ? [{ value, score: compared + edits }] : [];
  });
  return near
    .toSorted((a, b) => a.score - b.score)
    .slice(0, nearestMax)
    .map(({ value }) => value);
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let at = 1; at <= a.length; at++) {
    const next = [at];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (a[at - 1] === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
