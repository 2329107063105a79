import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMemoryCounter } from "./request-counter.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("a window begins with the first request and ends a minute later, whatever requests follow", () => {
  const counter = createMemoryCounter(60_000);
  const admitted = (left: number, resetsInMs: number) => ({ isAdmitted: true, left, resetsInMs });
  expect(counter.take("a", 1, 10)).toEqual(admitted(9, 60_000));
  vi.advanceTimersByTime(59_000);
  expect(counter.take("a", 5, 10)).toEqual(admitted(4, 1000));
  expect(counter.take("b", 1, 10)).toEqual(admitted(9, 60_000));
  vi.advanceTimersByTime(1000);
  expect(counter.take("a", 1, 10)).toEqual(admitted(9, 60_000));
  expect(counter.take("b", 1, 10)).toEqual(admitted(8, 59_000));
});

test("a request that costs more than what is left takes nothing", () => {
  const counter = createMemoryCounter(60_000);
  counter.take("a", 8, 10);
  expect(counter.take("a", 3, 10)).toMatchObject({ isAdmitted: false, left: 2 });
  expect(counter.take("a", 2, 10)).toMatchObject({ isAdmitted: true, left: 0 });
  expect(counter.take("a", 1, 10)).toMatchObject({ isAdmitted: false, left: 0 });
});

test("beyond the maximum of clients the oldest window is dropped", () => {
  const counter = createMemoryCounter(60_000, 2);
  counter.take("a", 1, 10);
  counter.take("b", 1, 10);
  counter.take("a", 1, 10);
  counter.take("c", 1, 10);
  expect(counter.take("b", 1, 10)).toMatchObject({ left: 8 });
  expect(counter.take("a", 1, 10)).toMatchObject({ left: 9 });
});

test("a window never ends later than a minute after it begins, whatever the clock shows", () => {
  // (5540.1 + 60_000) - 5540.1 is more than 60_000.
  const clock = vi.spyOn(performance, "now").mockReturnValue(5540.1);
  expect(createMemoryCounter(60_000).take("a", 1, 10).resetsInMs).toBe(60_000);
  clock.mockRestore();
});
