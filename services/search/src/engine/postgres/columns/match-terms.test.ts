import { expect, test } from "vitest";
import { matchTerms } from "./match-columns.ts";
import { countTerms, TermLists } from "./packed-lists.ts";

const listsOf = (lists: readonly (readonly number[])[]) => {
  const stored = new TermLists();
  for (const [number, list] of lists.entries()) stored.set(number, list);
  return stored;
};
const all = (count: number) => Int32Array.from({ length: count }, (_, number) => number);

test("matches more terms than an integer has bits", () => {
  const many = Array.from({ length: 70 }, (_, index) => index + 1);
  const lists = listsOf([many, many.slice(1), [...many, 99], many.toReversed()]);
  const conditions = { all: many, any: [[1, 200]], none: [99] };
  expect([...matchTerms(all(4), lists, conditions)]).toEqual([0, 3]);
});

test("finds no offer by an unknown term, and excludes none", () => {
  const lists = listsOf([[1], [2]]);
  expect([...matchTerms(all(2), lists, { all: [7], any: [], none: [] })]).toEqual([]);
  expect([...matchTerms(all(2), lists, { all: [], any: [[7]], none: [] })]).toEqual([]);
  expect([...matchTerms(all(2), lists, { all: [], any: [], none: [7] })]).toEqual([0, 1]);
});

test("separates lists however often they grow and shrink", () => {
  const lists = new TermLists();
  const expected = new Map<number, number[]>();
  for (let turn = 0; turn < 3_000; turn++) {
    const number = (turn * 31) % 40;
    const list = Array.from({ length: (turn * 17) % 23 }, (_, index) => 1 + ((turn + index) % 50));
    lists.set(number, list);
    expected.set(number, list);
  }
  const counts = new Int32Array(lists.termsEnd);
  for (const term of [...expected.values()].flat()) counts[term] = (counts[term] ?? 0) + 1;
  expect(countTerms(all(40), lists)).toEqual(counts);
  // Abandoned space is reused.
  expect(lists.values.length).toBeLessThan(4_000);
});
