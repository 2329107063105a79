import type { TextHits } from "../columns/found-offers.ts";
import type { OfferTexts } from "../offer-texts.ts";
import type { TextMatch } from "../text-match.ts";
import { ranksOf } from "./ranks-of.ts";
import { relevanceOf } from "./relevance-of.ts";
import type { WordColumns } from "./word-columns.ts";

/** A place in a title, of makers or of tags. */
const namedRank = 2;

/** The words of offers that are held in memory. */
export function heldTexts(columns: WordColumns): OfferTexts {
  return {
    async isNamed(wanted) {
      const { offers } = columns;
      const ranks = ranksOf(columns, wanted);
      for (let slot = 0; slot < ranks.length; slot++) {
        if ((ranks[slot] as number) >= namedRank && offers[slot] !== 0) return true;
      }
      return false;
    },
    async find(match, { isRanked }) {
      return find(columns, match, isRanked);
    },
  };
}

function find(columns: WordColumns, match: TextMatch, isRanked: boolean): TextHits {
  const { offers } = columns;
  const ranks = ranksOf(columns, match.chunks);
  const relevance = isRanked ? relevanceOf(columns, match, ranks) : () => 0;
  const numbers = new Int32Array(ranks.length);
  const relevances = new Int32Array(isRanked ? ranks.length : 0);
  let count = 0;
  for (let slot = 0; slot < ranks.length; slot++) {
    const offer = offers[slot] as number;
    if (ranks[slot] === 0 || offer === 0) continue;
    if (isRanked) relevances[count] = relevance(slot);
    numbers[count++] = offer;
  }
  return {
    numbers: numbers.slice(0, count),
    relevances: isRanked ? relevances.slice(0, count) : undefined,
  };
}
