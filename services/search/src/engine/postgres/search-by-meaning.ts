import type { Database } from "@storefront/database";
import { contentWords, nearestCount, rankByMeaning } from "../../domain/rank-by-meaning.ts";
import type { NearOffer } from "../../domain/rank-by-meaning.ts";
import { untrainedSpace } from "../index-documents.ts";
import type { MeaningHit, QueryVector, TextMeaningSearch } from "../offer-search.ts";
import { findNear } from "./near/find-near.ts";
import { nearTablesOf } from "./near/near-tables.ts";
import type { Pgvector } from "./near/pgvector.ts";
import { readFound } from "./read-found.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { tablesOf } from "./tables.ts";
import { readVector } from "./vector-bytes.ts";
import { holdersInDatabase, holdersInMemory } from "./words/holders.ts";

/** Combines the rankings by vectors and by words. */
export async function searchByMeaning(
  deps: SearchDependencies & { pgvector: Pgvector },
  generation: number,
  { text, vector, space = untrainedSpace, limit, among }: TextMeaningSearch & QueryVector,
): Promise<MeaningHit[]> {
  const { database } = deps;
  const passing =
    among && (await readFound(deps, generation, among, {}, async ({ found }) => found));
  if (passing?.length === 0) return [];
  const near = await nearestOffers(deps, generation, { vector, space }, passing);
  const request = { words: contentWords(text), among: passing };
  const held = await deps.columns.words(generation);
  const { holders, offerCount } = await (held === undefined
    ? holdersInDatabase(database, tablesOf(generation).text, request)
    : holdersInMemory(held, request));
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

/** More than needed: their order is approximate, and offers may be deleted. */
const candidateCount = nearestCount * 2;

/** The nearest offers, nearest first: found in the copy for pgvector, ranked by the stored vectors. */
async function nearestOffers(
  { database, pgvector }: { database: Database; pgvector: Pgvector },
  generation: number,
  { vector: query, space = untrainedSpace }: QueryVector,
  among: Int32Array | undefined,
): Promise<NearOffer<number>[]> {
  const tables = nearTablesOf(generation, space.set);
  const request = { vector: query, limit: candidateCount, among };
  const candidates = await pgvector.use((schema) => findNear(database, tables, schema, request));
  const rows = await database.read<{ number: number; vector: Buffer }>(
    `select number, vector
      from ${tables.stored} join ${tablesOf(generation).offer} using (number)
      where number = any($1::int[]) and vector is not null`,
    [candidates],
  );
  return rows
    .map(({ number, vector }) => ({
      key: number,
      cosine: cosine(readVector(vector), query),
    }))
    .filter(({ cosine: nearness }) => nearness > 0)
    .toSorted((a, b) => b.cosine - a.cosine || a.key - b.key)
    .slice(0, nearestCount);
}

/** Of vectors of unit length. */
function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
