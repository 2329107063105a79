import type { Queryable } from "@storefront/database";
import { maxFound, maxHolders } from "../../../domain/rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "../../../domain/rank-by-meaning.ts";
import { flagsOf } from "../columns/packed-lists.ts";
import { Parameters } from "../statement-values.ts";
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

/** Offers with each word, from the database; none for a word that is too common. */
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
  const wanted = [
    words.map((word) => `'${word}'`),
    words.map((word) => `'${word}':AB`),
    words.map((word) => `'${word}':ABC`),
  ].map((queries) => `${parameters.add(queries)}::text[]`);
  const rows = await queryable.read<{
    word: number;
    found: number;
    numbers: number[];
    places: WordPlace[];
  }>(
    `with asked as materialized (
        select word, query::tsquery, named::tsquery, tagged::tsquery,
          (
            select count(*)::int4 from ${textTable} where words @@ query::tsquery and ${isCandidate}
          ) as found
        from unnest(${wanted.join(", ")}) with ordinality as wanted(query, named, tagged, word)
      ),
      placed as (
        select word, found, number, case
            when words @@ named then 'named' when words @@ tagged then 'tagged' else 'described'
          end as place
        from asked join ${textTable} on words @@ query and ${isCandidate}
        where found <= ${parameters.add(maxFound(offerCount))}
      ),
      counted as (
        select *,
          count(*) filter (where place = 'named') over by_word as named,
          count(*) filter (where place <> 'described') over by_word as tagged
        from placed window by_word as (partition by word)
      ),
      held as (
        select word, found, number, case
            when place = 'named' and named <= ${maxHolders} then 'named'
            when place <> 'described' and tagged <= ${maxHolders} then 'tagged'
            when found <= ${maxHolders} then 'described'
          end as place
        from counted
      )
      select asked.word::int4 as word, asked.found,
        coalesce(array_agg(number) filter (where place is not null), '{}') as numbers,
        coalesce(array_agg(place) filter (where place is not null), '{}') as places
      from asked left join held using (word)
      group by asked.word, asked.found
      order by asked.word`,
    parameters.values,
  );
  const holders = rows.map(({ found, numbers, places }) => ({
    found,
    holders: numbers.map((number, at) => [number, places[at] ?? "described"] as const),
  }));
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

/** Ranks of fields: names, tags, description. */
const placeRanks = { named: 3, tagged: 2, described: 1 } as const;
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
      holders.push(holdersOf(columns, ranks, { candidates, offerCount }));
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

function holdersOf(
  { offers }: WordColumns,
  ranks: Uint8Array,
  { candidates, offerCount }: { candidates: Uint8Array | undefined; offerCount: number },
): WordHolders<number> {
  /** Number of offers with the word, by the rank of its best place. */
  const counts = [0, 0, 0, 0];
  const eachHolder = (use: (number: number, rank: number) => void) => {
    for (let slot = 0; slot < ranks.length; slot++) {
      const rank = ranks[slot] as number;
      const number = rank === 0 ? 0 : (offers[slot] as number);
      // Postings of freed slots stay for a while.
      if (number !== 0 && (candidates === undefined || candidates[slot] === 1)) use(number, rank);
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
