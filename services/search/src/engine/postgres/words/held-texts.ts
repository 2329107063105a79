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
      if (ranks === undefined) return false;
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
  const ranks = ranksOf(columns, match.chunks) ?? new Uint8Array();
  const slots = foundSlots(ranks, columns.offers);
  const numbers = new Int32Array(slots.length);
  const relevances = new Int32Array(isRanked ? slots.length : 0);
  const relevance = isRanked && slots.length > 0 ? relevanceOf(columns, match, ranks) : noRelevance;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    numbers[index] = columns.offers[slot] as number;
    if (isRanked) relevances[index] = relevance(slot);
  }
  return { numbers, relevances: isRanked ? relevances : undefined };
}

const noRelevance = () => 0;

/** Those with a rank that an offer is in; counted first, so that a rare word takes no memory for all. */
function foundSlots(ranks: Uint8Array, offers: Int32Array): Int32Array {
  let count = 0;
  for (let slot = 0; slot < ranks.length; slot++) if (ranks[slot] !== 0) count += 1;
  const slots = new Int32Array(count);
  let found = 0;
  for (let slot = 0; found < count && slot < ranks.length; slot++) {
    if (ranks[slot] !== 0 && offers[slot] !== 0) slots[found++] = slot;
  }
  return slots.subarray(0, found);
}
