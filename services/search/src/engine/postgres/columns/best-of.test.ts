import { expect, test } from "vitest";
import { bestOf } from "./found-offers.ts";

test("finds any page of the sorted values", () => {
  const values = Array.from({ length: 500 }, (_, index) => (index * 7919) % 503);
  const compare = (left: number, right: number) =>
    (values[left] as number) - (values[right] as number);
  const sorted = values.map((_, position) => position).toSorted(compare);
  for (const [offset, limit] of [
    [0, 1],
    [0, 10],
    [37, 20],
    [490, 50],
    [600, 10],
    [0, 500],
  ] as const) {
    const page = bestOf(values.length, { offset, limit }, compare);
    expect(page).toEqual(sorted.slice(offset, offset + limit));
  }
  expect(bestOf(0, { offset: 0, limit: 10 }, compare)).toEqual([]);
});
