import type { Queryable } from "@storefront/database";
import { maxFound, maxHolders } from "../../domain/rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "../../domain/rank-by-meaning.ts";
import { isAmong, numberBits } from "./number-bits.ts";
import { Parameters } from "./parameters.ts";
import type { AskedWords } from "./found-holders.ts";

/** How many offers there are, by the words that they have. */
export async function countStored(queryable: Queryable, textTable: string): Promise<number> {
  const row = await queryable.readOne<{ offers: number }>(
    `select count(*)::int4 as offers from ${textTable}`,
  );
  return row?.offers ?? 0;
}

/** Which offers have each word, by a table of the database; none for a word that too many have. */
export async function storedHolders(
  queryable: Queryable,
  textTable: string,
  { words, offerCount, among }: AskedWords & { offerCount: number },
): Promise<WordHolders<number>[]> {
  if (words.length === 0) return [];
  const parameters = new Parameters();
  const isLooked =
    among === undefined ? "true" : isAmong("number", parameters.add(numberBits(among)));
  // Words are letters and digits only, so that nothing needs escaping.
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
            select count(*)::int4 from ${textTable} where words @@ query::tsquery and ${isLooked}
          ) as found
        from unnest(${wanted.join(", ")}) with ordinality as wanted(query, named, tagged, word)
      ),
      placed as (
        select word, found, number, case
            when words @@ named then 'named' when words @@ tagged then 'tagged' else 'described'
          end as place
        from asked join ${textTable} on words @@ query and ${isLooked}
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
  return rows.map(({ found, numbers, places }) => ({
    found,
    holders: numbers.map((number, at) => [number, places[at] ?? "described"] as const),
  }));
}
