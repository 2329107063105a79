import type { Queryable } from "@storefront/database";
import { maxFound, maxHolders } from "../../../domain/rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "../../../domain/rank-by-meaning.ts";
import { flagsOf } from "../columns/packed-lists.ts";
import { packed, Parameters, unpacked } from "../statement-values.ts";
import { Turns } from "../turns.ts";
import { postingsPerTurn } from "./posting-lists.ts";
import type { WordColumns } from "./word-columns.ts";

interface WordsRequest {
  readonly words: readonly string[];
  /** Numbers of the candidate offers; undefined for all. */
  readonly among: Int32Array | undefined;
}

/** Offers with words. */
interface FoundHolders {
  /** Number of candidates. */
  readonly offerCount: number;
  /** One for each word, in order. */
  readonly holders: readonly WordHolders<number>[];
}

/** Ranks of fields: names, tags, description. */
const placeRanks = { named: 3, tagged: 2, described: 1 } as const;

/** Offers with each word, from the database; none for a word that is too common, which is counted only so far. */
export async function holdersInDatabase(
  queryable: Queryable,
  textTable: string,
  { words, among }: WordsRequest,
): Promise<FoundHolders> {
  if (words.length === 0) return { offerCount: 0, holders: [] };
  const offerCount = among?.length ?? (await countOffers(queryable, textTable));
  const parameters = new Parameters();
  const isCandidate =
    among === undefined ? "true" : isAmong("number", parameters.add(numberBits(among)));
  // Words have only letters and digits, so nothing needs escaping.
  const wanted = ["", ":AB", ":ABC"].map((weights) =>
    parameters.add(words.map((word) => `'${word}'${weights}`)),
  );
  const rows = await queryable.read<{ numbers: Buffer | null; ranks: Buffer | null }>(
    `select ${packed("number")} as numbers, ${packed("rank")} as ranks
      from unnest(${wanted.map((queries) => `${queries}::text[]`).join(", ")})
        with ordinality as wanted(query, named, tagged, word)
      left join lateral (
        select number, case
            when words @@ named::tsquery then ${placeRanks.named}
            when words @@ tagged::tsquery then ${placeRanks.tagged}
            else ${placeRanks.described}
          end as rank
        from ${textTable} where words @@ query::tsquery and ${isCandidate}
        limit ${parameters.add(maxFound(offerCount) + 1)}
      ) as found on true
      group by word order by word`,
    parameters.values,
  );
  const holders = rows.map(({ numbers, ranks }) =>
    holdersOf(unpacked(numbers), unpacked(ranks), offerCount),
  );
  return { offerCount, holders };
}

async function countOffers(queryable: Queryable, textTable: string): Promise<number> {
  const row = await queryable.readOne<{ offers: number }>(
    `select count(*)::int4 as offers from ${textTable}`,
  );
  return row?.offers ?? 0;
}

/**
 * A bit set of numbers for {@link isAmong}: half a million take 62 kB, where writing an array would block the thread.
 */
function numberBits(numbers: Int32Array): Buffer {
  let last = 0;
  for (const number of numbers) last = Math.max(last, number);
  const bits = Buffer.alloc((last >> 3) + 1);
  for (const number of numbers) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
  return bits;
}

/** SQL: whether a number is in the bit set of a parameter. */
function isAmong(number: string, bits: string): string {
  const set = `${bits}::bytea`;
  return `case when ${number} < length(${set}) * 8 then get_bit(${set}, ${number}) = 1 else false end`;
}

/** Ranks by place: description, tags, makers, title. */
const rankOfPlace = Uint8Array.of(
  placeRanks.described,
  placeRanks.tagged,
  placeRanks.named,
  placeRanks.named,
);

/** Offers with each word, from memory; none for a word that is too common. */
export async function holdersInMemory(
  columns: WordColumns,
  { words, among }: WordsRequest,
): Promise<FoundHolders> {
  return await columns.lock.read(async () => {
    const offerCount = among?.length ?? columns.offerCount;
    const candidates = among && slotsOf(columns, among);
    const turns = new Turns(postingsPerTurn);
    const ranks = new Uint8Array(columns.slotsEnd);
    const holders: WordHolders<number>[] = [];
    for (const word of words) {
      const number = columns.words.numberOf(word);
      ranks.fill(0);
      columns.lists.mark(number, rankOfPlace, ranks);
      const found = new Int32Array(columns.lists.countOf(number));
      const foundRanks = new Int32Array(found.length);
      let count = 0;
      for (let slot = 0; slot < ranks.length; slot++) {
        const rank = ranks[slot] as number;
        const offer = rank === 0 ? 0 : (columns.offers[slot] as number);
        // Postings of freed slots stay for a while.
        if (offer === 0 || (candidates !== undefined && candidates[slot] !== 1)) continue;
        found[count] = offer;
        foundRanks[count++] = rank;
      }
      holders.push(holdersOf(found.subarray(0, count), foundRanks.subarray(0, count), offerCount));
      await turns.after(columns.lists.countOf(number) + ranks.length);
    }
    return { offerCount, holders };
  });
}

/** A 1 for each slot of these offers. */
function slotsOf({ offers, slotsEnd }: WordColumns, numbers: Int32Array): Uint8Array {
  const flags = flagsOf(numbers);
  const candidates = new Uint8Array(slotsEnd);
  for (let slot = 0; slot < slotsEnd; slot++) candidates[slot] = flags[offers[slot] as number] ?? 0;
  return candidates;
}

/** The holders that {@link WordHolders} lists, of all with their ranks. */
function holdersOf(
  numbers: Int32Array,
  ranks: Int32Array,
  offerCount: number,
): WordHolders<number> {
  const found = numbers.length;
  if (found > maxFound(offerCount)) return { found, holders: [] };
  const counts = [0, 0, 0, 0];
  for (const rank of ranks) counts[rank] = (counts[rank] ?? 0) + 1;
  const [, , tagged = 0, named = 0] = counts;
  const placeOf = (rank: number | undefined): WordPlace | undefined => {
    if (rank === placeRanks.named && named <= maxHolders) return "named";
    if (rank !== placeRanks.described && named + tagged <= maxHolders) return "tagged";
    return found <= maxHolders ? "described" : undefined;
  };
  const holders: [number, WordPlace][] = [];
  for (const [at, number] of numbers.entries()) {
    const place = placeOf(ranks[at]);
    if (place !== undefined) holders.push([number, place]);
  }
  return { found, holders };
}
