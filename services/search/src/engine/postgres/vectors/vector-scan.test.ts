import { Seeded } from "@storefront/testkit";
import { expect, it } from "vitest";
import { VectorScan } from "./vector-scan.ts";

const random = new Seeded(1);

function direction(dimensions: number): Float32Array {
  const values = Array.from({ length: dimensions }, () => random.number() * 2 - 1);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** Numbers of the nearest vectors by exact comparison. */
function nearestOf(vectors: ReadonlyMap<number, Float32Array>, to: Float32Array, limit: number) {
  return [...vectors]
    .map(([number, vector]) => ({ number, cosine: dot(vector, to) }))
    .filter(({ cosine }) => cosine > 0)
    .toSorted((a, b) => b.cosine - a.cosine)
    .slice(0, limit)
    .map(({ number }) => number);
}

it.for([3, 16, 100])(
  "has the nearest of %i dimensions in fact among twice as many, of all and of some",
  (dimensions) => {
    const vectors = new Map<number, Float32Array>();
    const scan = new VectorScan();
    const set = (number: number, vector: Float32Array | undefined) => {
      scan.set(number, vector);
      if (vector === undefined) vectors.delete(number);
      else vectors.set(number, vector);
    };
    for (let count = 0; count < 5_000; count++) set(1 + count * 3, direction(dimensions));
    for (let count = 0; count < 500; count++) {
      set(1 + random.below(5_000) * 3, random.chance(0.5) ? direction(dimensions) : undefined);
    }
    set(2, undefined);
    const some = Int32Array.from({ length: 3_000 }, () => random.below(20_000));
    const amongSome = new Map([...vectors].filter(([number]) => some.includes(number)));
    for (let count = 0; count < 10; count++) {
      const query = direction(dimensions);
      const found = new Set(scan.nearest(query, 100));
      expect(nearestOf(vectors, query, 50).filter((number) => !found.has(number))).toEqual([]);
      const foundSome = [...new Set(scan.nearest(query, 100, some))];
      const wanted = nearestOf(amongSome, query, 50);
      expect(wanted.filter((number) => !foundSome.includes(number))).toEqual([]);
      expect(foundSome.filter((number) => !amongSome.has(number))).toEqual([]);
    }
  },
);

it("finds nothing while it is empty, nor for a vector of another length", () => {
  const scan = new VectorScan();
  expect([...scan.nearest(direction(4), 10)]).toEqual([]);
  scan.set(1, Float32Array.from([1, 0, 0, 0]));
  expect([...scan.nearest(Float32Array.from([1, 0, 0, 0]), 10)]).toEqual([1]);
  expect([...scan.nearest(Float32Array.from([1, 0, 0]), 10)]).toEqual([]);
});
