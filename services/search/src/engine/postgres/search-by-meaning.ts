import type { Database, Queryable } from "@storefront/database";
import {
  maxFound,
  maxHolders,
  nearestCount,
  rankByMeaning,
  tellingWords,
} from "../../domain/rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "../../domain/rank-by-meaning.ts";
import type { MeaningHit, QueryVector, TextMeaningSearch } from "../offer-search.ts";
import { tablesOf } from "./tables.ts";
import type { VectorTables } from "./vector-tables.ts";

/** Joins the ranking by vectors with that by words. */
export async function searchByMeaning(
  deps: { database: Database; vectors: VectorTables },
  generation: number,
  { text, vector, space, limit }: TextMeaningSearch & QueryVector,
): Promise<MeaningHit[]> {
  const { database, vectors } = deps;
  const { offer, text: textTable } = tablesOf(generation);
  const table = await vectors.of(generation, space);
  const near = table
    .nearest(vector, nearestCount)
    .map(({ number, cosine }) => ({ key: number, cosine }));
  const offerCount = await countOffers(database, textTable);
  const words = await findHolders(database, textTable, tellingWords(text), offerCount);
  const scores = rankByMeaning(near, words, offerCount);
  const best = [...scores].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  const rows = await database.read<{ number: number; offer_id: string }>(
    `select number, offer_id from ${offer} where number = any($1::int[])`,
    [best.map(([number]) => number)],
  );
  const idOf = new Map(rows.map(({ number, offer_id }) => [number, offer_id]));
  return best
    .flatMap(([number, score]) => {
      const offerId = idOf.get(number);
      return offerId === undefined ? [] : [{ offerId, score }];
    })
    .slice(0, limit);
}

async function countOffers(queryable: Queryable, textTable: string): Promise<number> {
  const row = await queryable.readOne<{ offers: number }>(
    `select count(*)::int4 as offers from ${textTable}`,
  );
  return row?.offers ?? 0;
}

/** Which offers have each word; none for a word that too many have. */
async function findHolders(
  queryable: Queryable,
  textTable: string,
  words: readonly string[],
  offerCount: number,
): Promise<WordHolders<number>[]> {
  if (words.length === 0) return [];
  const rows = await queryable.read<{
    word: number;
    found: number;
    numbers: number[];
    places: WordPlace[];
  }>(
    `with asked as materialized (
        select word, query::tsquery, named::tsquery, tagged::tsquery,
          (select count(*)::int4 from ${textTable} where words @@ query::tsquery) as found
        from unnest($1::text[], $2::text[], $3::text[]) with ordinality
          as wanted(query, named, tagged, word)
      ),
      placed as (
        select word, found, number, case
            when words @@ named then 'named' when words @@ tagged then 'tagged' else 'described'
          end as place
        from asked join ${textTable} on words @@ query
        where found <= $4
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
    // Words are letters and digits only, so that nothing needs escaping.
    [
      words.map((word) => `'${word}'`),
      words.map((word) => `'${word}':AB`),
      words.map((word) => `'${word}':ABC`),
      maxFound(offerCount),
    ],
  );
  return rows.map(({ found, numbers, places }) => ({
    found,
    holders: numbers.map((number, at) => [number, places[at] ?? "described"] as const),
  }));
}
