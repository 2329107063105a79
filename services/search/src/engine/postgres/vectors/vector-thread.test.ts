import { expect, it } from "vitest";
import { vectorBytes } from "./dot-products.ts";
import { VectorThread } from "./vector-thread.ts";

const right = Float32Array.from([1, 0]);

it("searches all vectors set before, also when it is ended meanwhile, and then rejects", async () => {
  const thread = new VectorThread();
  thread.set([
    { number: 1, vector: vectorBytes(Float32Array.from([0.6, 0.8])) },
    { number: 2, vector: vectorBytes(right) },
    { number: 3, vector: vectorBytes(right) },
  ]);
  thread.set([{ number: 3, vector: null }]);
  const all = thread.nearest(right, 10);
  const candidates = Int32Array.from([2, 1, 3, 4]);
  const some = thread.nearest(right, 10, candidates.subarray(1));
  expect([...candidates]).toEqual([2, 1, 3, 4]);
  thread.end();
  const late = thread.nearest(right, 10);
  expect([...(await all)]).toEqual([2, 1]);
  expect([...(await some)]).toEqual([1]);
  await expect(late).rejects.toThrow("ended");
  expect(thread.failure?.error.message).toContain("ended");
  await expect(thread.nearest(right, 10)).rejects.toThrow("ended");
});
