import { expect, test } from "vitest";
import { snapshotRetrySeconds } from "./snapshots.ts";

test.for([
  { tookMs: 0, seconds: 1 },
  { tookMs: 4000, seconds: 1 },
  { tookMs: 4001, seconds: 2 },
  { tookMs: 60_000, seconds: 15 },
  { tookMs: 120_000, seconds: 30 },
  { tookMs: 3_600_000, seconds: 30 },
])("after $tookMs ms one asks again in $seconds s", ({ tookMs, seconds }) => {
  expect(snapshotRetrySeconds(tookMs)).toBe(seconds);
});

test("what takes five minutes is asked for some two dozen times, and waited for hardly longer", () => {
  let atSeconds = 0;
  let count = 0;
  for (; atSeconds < 300; count++) atSeconds += snapshotRetrySeconds(atSeconds * 1000);
  expect(count).toBeLessThanOrEqual(25);
  expect(atSeconds).toBeLessThanOrEqual(330);
});
