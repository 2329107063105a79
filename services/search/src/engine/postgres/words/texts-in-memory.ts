import { baseGameRank } from "../../../domain/offer-order.ts";
import type { TextMatch } from "../../text-match.ts";
import type { TextHits } from "../columns/found-offers.ts";
import type { OfferTexts } from "./texts-in-database.ts";
import { Turns } from "../turns.ts";
import { matchingSlots, titleRank, wholeTitleRank } from "./matching-slots.ts";
import type { WordColumns } from "./word-columns.ts";

/** A place in a title, of makers or of tags. */
const namedRank = 2;

/** Others have their turn after so many slots were ranked: some milliseconds. */
const rankedAtOnce = 100_000;

/** What a match finds. */
interface Found {
  readonly hits: TextHits;
  /** Whether any of it has what is wanted in such a place. */
  readonly isNamed: boolean;
}

/** The words of offers that are held in memory. */
export function textsInMemory(
  columns: WordColumns,
  { isRanked }: { isRanked: boolean },
): OfferTexts {
  // What is asked for by name is found with it, and mostly asked for next.
  let last: { match: TextMatch; found: Found } | undefined;
  const findOnce = async (match: TextMatch): Promise<Found> => {
    if (last?.match === match) return last.found;
    const found = await columns.lock.read(() => find(columns, match, isRanked));
    last = { match, found };
    return found;
  };
  return {
    async isNamed(match) {
      return (await findOnce(match)).isNamed;
    },
    async find(match) {
      return (await findOnce(match)).hits;
    },
  };
}

async function find(
  columns: WordColumns,
  { chunks, key }: TextMatch,
  isRanked: boolean,
): Promise<Found> {
  const matching = await matchingSlots(columns, chunks);
  const { slots } = matching;
  const numbers = new Int32Array(slots.length);
  const relevances = new Int32Array(isRanked ? slots.length : 0);
  const relevance = relevanceOf(columns, key);
  let count = 0;
  let isNamed = false;
  /** Notes what stands in some of the slots. */
  const note = (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      const slot = slots[index] as number;
      const number = columns.offers[slot] as number;
      // Postings of a slot that was left stay for a while.
      if (number === 0) continue;
      const rank = matching.ranks[index] as number;
      if (rank >= namedRank) isNamed = true;
      if (isRanked) relevances[count] = relevance(slot, rank);
      numbers[count++] = number;
    }
  };
  const turns = new Turns(rankedAtOnce);
  for (let from = 0; from < slots.length; from += rankedAtOnce) {
    note(from, Math.min(from + rankedAtOnce, slots.length));
    await turns.after(rankedAtOnce);
  }
  const hits = {
    numbers: numbers.subarray(0, count),
    relevances: isRanked ? relevances.subarray(0, count) : undefined,
  };
  return { hits, isNamed };
}

/**
 * The relevance of a slot, by the rule of `relevanceSql`.
 *
 * @param key of the text
 */
function relevanceOf(
  { titles, typeRanks }: WordColumns,
  key: string,
): (slot: number, rank: number) => number {
  const keyBytes = Buffer.from(key);
  const classOf = (slot: number, rank: number, typeRank: number) => {
    if (titles.is(slot, keyBytes)) return 11;
    if (rank < titleRank) return rank - 1;
    const isGame = typeRank === baseGameRank;
    const wholeClass = rank === wholeTitleRank ? 7 : 3;
    return wholeClass + (isGame ? 2 : 0) + (titles.beginsWith(slot, keyBytes) ? 1 : 0);
  };
  return (slot, rank) => {
    const typeRank = typeRanks[slot] as number;
    const found = classOf(slot, rank, typeRank);
    return found * 3000 + typeRank * 1000 - titles.lengthOf(slot);
  };
}
