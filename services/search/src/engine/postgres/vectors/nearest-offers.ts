import type { Database } from "@storefront/database";
import { nearestCount } from "../../../domain/rank-by-meaning.ts";
import type { NearOffer } from "../../../domain/rank-by-meaning.ts";
import { untrainedSpace } from "../../index-documents.ts";
import type { QueryVector } from "../../offer-search.ts";
import type { NearIndex } from "../near/near-index.ts";
import { tablesOf } from "../tables.ts";
import { readVector } from "./vector-bytes.ts";
import type { VectorTables } from "./vector-tables.ts";

/** More than are asked for: their order is not exact, and offers among them may be gone. */
const candidateCount = nearestCount * 2;

/** The nearest offers, nearest first: found by vectors in few bits, ranked by those that are stored. */
export async function nearestOffers(
  { database, near, vectors }: { database: Database; near: NearIndex; vectors: VectorTables },
  generation: number,
  query: QueryVector,
  among: Int32Array | undefined,
): Promise<NearOffer<number>[]> {
  const { offer, vectors: tables } = tablesOf(generation);
  const { set } = query.space ?? untrainedSpace;
  const looked = { limit: candidateCount, among };
  const indexed = await near.find(generation, set, { vector: query.vector, ...looked });
  const candidates = indexed ?? (await vectors.nearest(generation, query, looked));
  // What was held before there was an index.
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
