import { expect, test } from "vitest";
import { snapshotRetrySeconds } from "./snapshots.ts";

test.for([
  { tookMs: 0, seconds: 1 },
  { tookMs: 4000, seconds: 1 },
  { tookMs: 4001, seconds: 2 },
  { tookMs: 60_000, seconds: 15 },
  { tookMs: 120_000, seconds: 30 },
  { tookMs: 3_600_000, seconds: 30 },
])("after $tookMs ms a client retries in $seconds s", ({ tookMs, seconds }) => {
  expect(snapshotRetrySeconds(tookMs)).toBe(seconds);
});

test("a snapshot of five minutes is requested some two dozen times, and awaited hardly longer", () => {
  let atSeconds = 0;
  let count = 0;
  for (; atSeconds < 300; count++) atSeconds += snapshotRetrySeconds(atSeconds * 1000);
  expect(count).toBeLessThanOrEqual(25);
  expect(atSeconds).toBeLessThanOrEqual(330);
});
