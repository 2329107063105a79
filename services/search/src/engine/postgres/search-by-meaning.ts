import type { Database } from "@storefront/database";
import { contentWords, nearestCount, rankByMeaning } from "../../domain/rank-by-meaning.ts";
import type { NearOffer } from "../../domain/rank-by-meaning.ts";
import { untrainedSpace } from "../index-documents.ts";
import type { MeaningHit, QueryVector, TextMeaningSearch } from "../offer-search.ts";
import type { NearIndex } from "./near/near-index.ts";
import { readFound } from "./read-found.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { tablesOf } from "./tables.ts";
import { readVector } from "./vectors/dot-products.ts";
import type { VectorTables } from "./vectors/vector-tables.ts";
import { holdersInDatabase, holdersInMemory } from "./words/holders.ts";

/** Combines the rankings by vectors and by words. */
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

/** More than needed: their order is approximate, and offers may be gone. */
const candidateCount = nearestCount * 2;

/** The nearest offers, nearest first: found by quantised vectors, ranked by stored ones. */
async function nearestOffers(
  { database, near, vectors }: { database: Database; near: NearIndex; vectors: VectorTables },
  generation: number,
  query: QueryVector,
  among: Int32Array | undefined,
): Promise<NearOffer<number>[]> {
  const { offer, vectors: tables } = tablesOf(generation);
  const { set } = query.space ?? untrainedSpace;
  const options = { limit: candidateCount, among };
  const indexed = await near.find(generation, set, { vector: query.vector, ...options });
  const candidates = indexed ?? (await vectors.nearest(generation, query, options));
  // Frees vectors that were loaded before there was an index.
  if (indexed !== undefined) vectors.close();
  const rows = await database.read<{ number: number; vector: Buffer }>(
    `select number, vector
      from ${tables[set]} join ${offer} using (number)
      where number = any($1::int[]) and vector is not null`,
    [[...candidates]],
  );
  return rows
    .map(({ number, vector }) => ({
      key: number,
      cosine: cosine(readVector(vector), query.vector),
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
