import { rankByMeaning, contentWords } from "../../domain/rank-by-meaning.ts";
import type { MeaningHit, QueryVector, TextMeaningSearch } from "../offer-search.ts";
import { untrainedSpace } from "../index-documents.ts";
import type { NearIndex } from "./near/near-index.ts";
import { nearestOffers } from "./vectors/nearest-offers.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { holdersInDatabase } from "./words/holders-in-database.ts";
import { tablesOf } from "./tables.ts";
import { wordsOf } from "./words/text-tables.ts";
import type { VectorTables } from "./vectors/vector-tables.ts";
import { readFound } from "./read-found.ts";
import { holdersInMemory } from "./words/holders-in-memory.ts";

/** Joins the ranking by vectors with that by words. */
export async function searchByMeaning(
  deps: SearchDependencies & { near: NearIndex; vectors: VectorTables },
  generation: number,
  { text, vector, space = untrainedSpace, limit, among }: TextMeaningSearch & QueryVector,
): Promise<MeaningHit[]> {
  const { database } = deps;
  const passing =
    among && (await readFound(deps, generation, among, {}, async ({ found }) => found));
  if (passing?.length === 0) return [];
  const near = await nearestOffers(deps, generation, { vector, space }, passing);
  const asked = { words: contentWords(text), among: passing };
  const { table, held } = await wordsOf(deps, generation);
  const { holders, offerCount } = await (held === undefined
    ? holdersInDatabase(database, table.table, asked)
    : holdersInMemory(held, asked));
  const scores = rankByMeaning(near, holders, offerCount);
  const best = [...scores].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  const rows = await database.read<{ number: number; offer_id: string }>(
    `select number, offer_id from ${tablesOf(generation).offer} where number = any($1::int[])`,
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
