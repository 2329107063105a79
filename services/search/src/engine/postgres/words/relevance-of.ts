import { baseGameRank } from "../../../domain/type-rank.ts";
import { titleRank, wholeTitleRank } from "./matching-slots.ts";
import type { WordColumns } from "./word-columns.ts";

/**
 * The relevance of a slot, by the rule of `relevanceSql`.
 *
 * @param key of the text
 */
export function relevanceOf(
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
