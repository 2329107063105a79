import type { Database, Queryable } from "@storefront/database";
import { textQuery } from "../../domain/text-query.ts";
import type { MeaningHit, MeaningSearch } from "../offer-search.ts";
import { tablesOf } from "./tables.ts";
import type { VectorTables } from "./vector-tables.ts";

/** Candidates of each of the two rankings. */
const candidateCount = 200;
/** Share of the vectors' ranking in a score; words decide among what is near. Measured by test/search-quality. */
const vectorShare = 0.9;
/** Words of a text that are looked for; nobody asks for more things at once. */
const maxWords = 32;
/** A word that a larger share of offers has says nothing of what is meant. */
const maxCommonness = 0.1;
/** Title, developer and publisher, tags, description, for `ts_rank`: D, C, B, A. */
const weights = "{0.3, 0.6, 0.4, 1.0}";

/** Joins the ranking by vectors with that by words. */
export async function searchByMeaning(
  deps: { database: Database; vectors: VectorTables },
  generation: number,
  { text, vector, limit }: MeaningSearch,
): Promise<MeaningHit[]> {
  const { database, vectors } = deps;
  const { offer, text: textTable } = tablesOf(generation);
  const table = await vectors.of(generation);
  const near = table.nearest(vector, candidateCount);
  const nearest = near[0]?.cosine ?? 1;
  // Models differ in how far apart their vectors are: what counts is how much nearer than the last.
  const floor = near.length < candidateCount ? 0 : (near.at(-1)?.cosine ?? 0);
  const worded = await rankByWords(database, textTable, text);
  const scores = new Map<number, number>();
  for (const { number, cosine } of near) {
    scores.set(number, (vectorShare * (cosine - floor)) / (nearest - floor));
  }
  const mostWords = worded[0]?.weight ?? 1;
  for (const { number, weight } of worded) {
    const share = (1 - vectorShare) * (weight / mostWords);
    scores.set(number, (scores.get(number) ?? 0) + share);
  }
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

/** Offers by the words that they have, where rare words count more. */
async function rankByWords(
  queryable: Queryable,
  textTable: string,
  text: string,
): Promise<{ number: number; weight: number }[]> {
  const chunks = textQuery(text);
  const words = chunks.flatMap(({ alternatives }) => alternatives.flat().map(({ word }) => word));
  if (words.length === 0) return [];
  return await queryable.read<{ number: number; weight: number }>(
    `with total as materialized (select count(*)::float8 as offers from ${textTable}),
      asked as materialized (
        select query, (select count(*)::float8 from ${textTable} where words @@ query) as found
        from unnest($1::text[]) as wanted(word), lateral (select word::tsquery as query) as parsed
      ),
      telling as materialized (
        select query, ln(1 + offers / found) as rarity from asked, total
        where found > 0 and found <= greatest(offers * ${maxCommonness}, 3)
      )
    select text.number,
      sum(rarity * rarity * ts_rank('${weights}', text.words, telling.query))::float8 as weight
    from telling join ${textTable} as text on text.words @@ telling.query
    group by text.number
    order by weight desc, text.number
    limit ${candidateCount}`,
    // Words are letters and digits only, so that nothing needs escaping.
    [[...new Set(words)].slice(0, maxWords).map((word) => `'${word}'`)],
  );
}
