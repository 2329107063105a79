import { baseGameRank } from "../../../domain/offer-order.ts";
import type { TextMatch } from "../../text-match.ts";
import type { NamedHits } from "../columns/found-offers.ts";
import { Turns } from "../turns.ts";
import { matchingSlots, titleRank, wholeTitleRank } from "./matching-slots.ts";
import type { WordColumns } from "./word-columns.ts";

/** Rank of makers, tags or titles. */
const namedRank = 2;

/** Work yields after this many ranked slots: some milliseconds. */
const rankedPerTurn = 100_000;

/** Finds offers by the words in memory. */
export async function findInMemory(
  columns: WordColumns,
  match: TextMatch,
  { isRanked }: { isRanked: boolean },
): Promise<NamedHits> {
  return await columns.lock.read(() => find(columns, match, isRanked));
}

async function find(
  columns: WordColumns,
  { chunks, key }: TextMatch,
  isRanked: boolean,
): Promise<NamedHits> {
  const matching = await matchingSlots(columns, chunks);
  const { slots } = matching;
  const numbers = new Int32Array(slots.length);
  const relevances = new Int32Array(isRanked ? slots.length : 0);
  const relevance = relevanceOf(columns, key);
  let count = 0;
  let isNamed = false;
  const record = (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      const slot = slots[index] as number;
      const number = columns.offers[slot] as number;
      // Postings of freed slots stay for a while.
      if (number === 0) continue;
      const rank = matching.ranks[index] as number;
      if (rank >= namedRank) isNamed = true;
      if (isRanked) relevances[count] = relevance(slot, rank);
      numbers[count++] = number;
    }
  };
  const turns = new Turns(rankedPerTurn);
  for (let from = 0; from < slots.length; from += rankedPerTurn) {
    record(from, Math.min(from + rankedPerTurn, slots.length));
    await turns.after(rankedPerTurn);
  }
  return {
    numbers: numbers.subarray(0, count),
    relevances: isRanked ? relevances.subarray(0, count) : undefined,
    isNamed,
  };
}

/**
 * The relevance of a slot, by the rule of `findInDatabase`.
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
