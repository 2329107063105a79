import { describe, expect, it } from "vitest";
import { nextAttemptAt } from "./retry-schedule.ts";

const first = new Date("2026-03-16T12:00:00Z");

/** Seconds from each failed attempt to the next one, until there is none. */
function delaysOf(random: number): number[] {
  const delays: number[] = [];
  let now = first;
  for (;;) {
    const next = nextAttemptAt(delays.length + 1, first, now, random);
    if (next === undefined) return delays;
    delays.push((next.getTime() - now.getTime()) / 1000);
    now = next;
  }
}

describe("the schedule of retries", () => {
  it("waits 5 s, 30 s, 5 min, 30 min, 2 h, then 6 h until three days have passed", () => {
    const delays = delaysOf(0);
    expect(delays.slice(0, 5)).toEqual([5, 30, 300, 1800, 7200]);
    expect(new Set(delays.slice(5))).toEqual(new Set([21_600]));
    expect(delays.reduce((sum, delay) => sum + delay)).toBeLessThanOrEqual(72 * 3600);
    expect(delays.reduce((sum, delay) => sum + delay, 21_600)).toBeGreaterThan(72 * 3600);
  });

  it("waits at most half as long again", () => {
    expect(delaysOf(1).slice(0, 6)).toEqual([7.5, 45, 450, 2700, 10_800, 32_400]);
  });
});
