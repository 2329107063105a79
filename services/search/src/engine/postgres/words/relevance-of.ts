import { baseGameRank } from "../../../domain/type-rank.ts";
import type { TextMatch } from "../text-match.ts";
import { ranksOf } from "./ranks-of.ts";
import type { WordColumns } from "./word-columns.ts";

const titleRank = 4;

/**
 * The relevance of a slot, by the rule of `relevanceSql`.
 *
 * @param ranks those of the places where what is wanted stands
 */
export function relevanceOf(
  columns: WordColumns,
  { chunks, key }: TextMatch,
  ranks: Uint8Array,
): (slot: number) => number {
  const { titles, typeRanks } = columns;
  const keyBytes = Buffer.from(key);
  const wholeRanks = ranksOf(columns, chunks, { isWhole: true });
  const classOf = (slot: number, rank: number, typeRank: number) => {
    if (titles.is(slot, keyBytes)) return 11;
    if (rank < titleRank) return rank - 1;
    const isGame = typeRank === baseGameRank;
    const wholeClass = wholeRanks?.[slot] === titleRank ? 7 : 3;
    return wholeClass + (isGame ? 2 : 0) + (titles.beginsWith(slot, keyBytes) ? 1 : 0);
  };
  return (slot) => {
    const typeRank = typeRanks[slot] as number;
    const found = classOf(slot, ranks[slot] as number, typeRank);
    return found * 3000 + typeRank * 1000 - titles.lengthOf(slot);
  };
}
