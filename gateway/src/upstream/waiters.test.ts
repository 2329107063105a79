import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { Waiters } from "./single-flight.ts";

it("leaves no listener once the work has ended", () => {
  const { signal } = new AbortController();
  new Waiters([signal]).release();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
