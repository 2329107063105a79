import type { CountName } from "./offer-fields.ts";
import { partsOfLabel } from "./label.ts";
import { chunksOf, foldText } from "./text-words.ts";

/** Limits a count to values that contain a text. */
export interface FacetQuery {
  readonly of: CountName;
  /** Not blank. */
  readonly text: string;
}

/**
 * Returns a predicate for values that contain a text typed into a filter box: `eye` matches `BattlEye`,
 * `epicgam` matches `Epic Games` and `half life` matches `Half-Life`, but `ca` does not match `Epic Art`.
 * `FacetQuery` in the contract defines the rule.
 */
export function containing(text: string): (value: string) => boolean {
  const pieces = text.trim().split(/\s+/u);
  const words = pieces.flatMap(wordsOf);
  const spellings = pieces.filter((piece) => wordsOf(piece).length === 0).map(foldText);
  return (value) => {
    const { name } = partsOfLabel(value);
    const valueWords = wordsOf(name);
    const hasWord = (typed: string) =>
      valueWords.some(
        (word, at) => word.includes(typed) || valueWords.slice(at).join("").startsWith(typed),
      );
    return words.every(hasWord) && spellings.every((typed) => foldText(name).includes(typed));
  };
}

function wordsOf(text: string): string[] {
  return chunksOf(text).flatMap(({ runs }) => runs);
}
