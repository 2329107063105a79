import { expect, test } from "vitest";
import { chooseFreshMs } from "./stored-response.ts";

test("answers that are made together do not all grow stale together, and none late", () => {
  const chosenMs = Array.from({ length: 1000 }, chooseFreshMs).toSorted((a, b) => a - b);
  expect(chosenMs.at(0)).toBeGreaterThanOrEqual(30_000);
  expect(chosenMs.at(-1)).toBeLessThanOrEqual(60_000);
  const perSecond = Map.groupBy(chosenMs, (ms) => Math.floor(ms / 1000));
  expect(Math.max(...[...perSecond.values()].map(({ length }) => length))).toBeLessThan(100);
});
