import type { CountName } from "./offer-fields.ts";
import { partsOfLabel } from "./label.ts";
import { chunksOf, foldText } from "./text-words.ts";

/** Narrows a count to the values that contain a text. */
export interface FacetQuery {
  readonly of: CountName;
  /** Not blank. */
  readonly text: string;
}

/**
 * Tells of values whether they contain a text, as somebody means it who types into the box of a filter: `eye` finds
 * `BattlEye`, `epicgam` finds `Epic Games` and `half life` finds `Half-Life`, but `ca` does not find `Epic Art`. The
 * rule stands at `FacetQuery` in the contract.
 */
export function containing(text: string): (value: string) => boolean {
  const pieces = text.trim().split(/\s+/u);
  const words = pieces.flatMap(wordsOf);
  const spellings = pieces.filter((piece) => wordsOf(piece).length === 0).map(foldText);
  return (value) => {
    const { name } = partsOfLabel(value);
    const held = wordsOf(name);
    const hasWord = (typed: string) =>
      held.some((word, at) => word.includes(typed) || held.slice(at).join("").startsWith(typed));
    return words.every(hasWord) && spellings.every((typed) => foldText(name).includes(typed));
  };
}

function wordsOf(text: string): string[] {
  return chunksOf(text).flatMap(({ runs }) => runs);
}
