import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMemoryCounter } from "./request-counter.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("a window begins with the first request and ends a minute later, whatever comes between", () => {
  const counter = createMemoryCounter(60_000);
  expect(counter.add("a", 1)).toEqual({ count: 1, resetsInMs: 60_000 });
  vi.advanceTimersByTime(59_000);
  expect(counter.add("a", 5)).toEqual({ count: 6, resetsInMs: 1000 });
  expect(counter.add("b", 1)).toEqual({ count: 1, resetsInMs: 60_000 });
  vi.advanceTimersByTime(1000);
  expect(counter.add("a", 1)).toEqual({ count: 1, resetsInMs: 60_000 });
  expect(counter.add("b", 1)).toEqual({ count: 2, resetsInMs: 59_000 });
});

test("of too many clients the one whose window is oldest begins anew", () => {
  const counter = createMemoryCounter(60_000, 2);
  counter.add("a", 1);
  counter.add("b", 1);
  counter.add("a", 1);
  counter.add("c", 1);
  expect(counter.add("b", 1)).toMatchObject({ count: 2 });
  expect(counter.add("a", 1)).toMatchObject({ count: 1 });
});
