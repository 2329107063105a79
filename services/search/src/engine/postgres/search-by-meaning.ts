import { rankByMeaning, tellingWords } from "../../domain/rank-by-meaning.ts";
import type { MeaningHit, QueryVector, TextMeaningSearch } from "../offer-search.ts";
import { untrainedSpace } from "../vector-space.ts";
import type { NearIndex } from "./near/near-index.ts";
import { nearestOffers } from "./nearest-offers.ts";
import { passingOffers } from "./passing-offers.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { tablesOf } from "./tables.ts";
import type { VectorTables } from "./vector-tables.ts";
import { findHolders } from "./word-holders.ts";

/** Joins the ranking by vectors with that by words. */
export async function searchByMeaning(
  deps: SearchDependencies & { near: NearIndex; vectors: VectorTables },
  generation: number,
  { text, vector, space = untrainedSpace, limit, among }: TextMeaningSearch & QueryVector,
): Promise<MeaningHit[]> {
  const { database } = deps;
  const passing = among && (await passingOffers(deps, generation, among));
  if (passing?.length === 0) return [];
  const near = await nearestOffers(deps, generation, { vector, space }, passing);
  const asked = { words: tellingWords(text), among: passing };
  const { holders, offerCount } = await findHolders(deps, generation, asked);
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
