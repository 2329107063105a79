import type { StoredDocument } from "../documents/collection.ts";
import type { VectorQuery } from "./vector-query.ts";

/** A document with its distance: by the angle 0 (same direction) to 2 (opposite). */
export interface VectorMatch {
  stored: StoredDocument;
  distance: number;
}

/**
 * The documents nearest to the vector, by a look at every one of them (the server uses a graph,
 * which can miss some). Documents without a vector are left out.
 *
 * @param limit most that are given; all when undefined.
 */
export function searchVectors(
  candidates: Iterable<StoredDocument>,
  query: VectorQuery,
  limit: number | undefined,
): VectorMatch[] {
  const distanceTo = query.field.vec_dist === "ip" ? innerProductTo(query) : cosineTo(query);
  const matches: VectorMatch[] = [];
  for (const stored of candidates) {
    const vector = stored.values[query.field.name];
    if (stored === query.like || !Array.isArray(vector)) continue;
    matches.push({ stored, distance: distanceTo(vector as number[]) });
  }
  return matches
    .toSorted((a, b) => a.distance - b.distance || b.stored.seq - a.stored.seq)
    .slice(0, limit)
    .filter(({ distance }) => distance <= query.distanceThreshold);
}

type Distance = (vector: readonly number[]) => number;

function cosineTo({ values }: VectorQuery): Distance {
  const wanted = normalize(values);
  return (vector) => Math.abs(1 - product(wanted, normalize(vector)));
}

function innerProductTo({ values }: VectorQuery): Distance {
  return (vector) => 1 - product(values, vector);
}

function product(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

function normalize(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  // The same tiny addend keeps the server from dividing by 0.
  return vector.map((value) => value / (length + 1e-30));
}
