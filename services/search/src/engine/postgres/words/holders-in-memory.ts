import { maxFound, maxHolders } from "../../../domain/rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "../../../domain/rank-by-meaning.ts";
import type { AskedWords, FoundHolders } from "./holders-in-database.ts";
import { Turns } from "../turns.ts";
import { postingsAtOnce } from "./posting-lists.ts";
import type { WordColumns } from "./word-columns.ts";

/** Ranks of the places where a word stands: what names an offer, its tags, its description. */
const placeRanks = { named: 3, tagged: 2, described: 1 } as const;
/** What places count as: the description, tags, makers, the title. */
const rankOfPlace = Uint8Array.of(
  placeRanks.described,
  placeRanks.tagged,
  placeRanks.named,
  placeRanks.named,
);

/** Which offers have each word, by the words in memory; none for a word that too many have. */
export async function holdersInMemory(
  columns: WordColumns,
  { words, among }: AskedWords,
): Promise<FoundHolders> {
  return await columns.lock.read(async () => {
    const offerCount = among?.length ?? columns.offerCount;
    const looked = among && slotsOf(columns, among);
    const turns = new Turns(postingsAtOnce);
    const ranks = new Uint8Array(columns.slotsEnd);
    const holders: WordHolders<number>[] = [];
    for (const word of words) {
      const number = columns.words.numberOf(word);
      ranks.fill(0);
      columns.lists.mark(number, rankOfPlace, ranks);
      holders.push(holdersOf(columns, ranks, { looked, offerCount }));
      await turns.after(columns.lists.countOf(number) + ranks.length);
    }
    return { offerCount, holders };
  });
}

/** A 1 for each slot that one of some offers is in. */
function slotsOf({ offers, slotsEnd }: WordColumns, numbers: Int32Array): Uint8Array {
  const last = numbers.reduce((most, number) => Math.max(most, number), 0);
  const isAsked = new Uint8Array(last + 1);
  for (const number of numbers) isAsked[number] = 1;
  const looked = new Uint8Array(slotsEnd);
  for (let slot = 0; slot < slotsEnd; slot++) looked[slot] = isAsked[offers[slot] as number] ?? 0;
  return looked;
}

function holdersOf(
  { offers }: WordColumns,
  ranks: Uint8Array,
  { looked, offerCount }: { looked: Uint8Array | undefined; offerCount: number },
): WordHolders<number> {
  /** How many have the word, by the rank of its best place. */
  const counts = [0, 0, 0, 0];
  const eachHolder = (use: (number: number, rank: number) => void) => {
    for (let slot = 0; slot < ranks.length; slot++) {
      const rank = ranks[slot] as number;
      const number = rank === 0 ? 0 : (offers[slot] as number);
      // Postings of a slot that was left stay for a while.
      if (number !== 0 && (looked === undefined || looked[slot] === 1)) use(number, rank);
    }
  };
  eachHolder((_, rank) => (counts[rank] = (counts[rank] ?? 0) + 1));
  const [, described = 0, tagged = 0, named = 0] = counts;
  const found = named + tagged + described;
  if (found > maxFound(offerCount)) return { found, holders: [] };
  const placeOf = (rank: number): WordPlace | undefined => {
    if (rank === placeRanks.named && named <= maxHolders) return "named";
    if (rank >= placeRanks.tagged && named + tagged <= maxHolders) return "tagged";
    return found <= maxHolders ? "described" : undefined;
  };
  const holders: [number, WordPlace][] = [];
  eachHolder((number, rank) => {
    const place = placeOf(rank);
    if (place !== undefined) holders.push([number, place]);
  });
  return { found, holders };
}
