import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { Waiters } from "./single-flight.ts";

const leaving = () => {
  const controller = new AbortController();
  return { signal: controller.signal, leave: () => controller.abort(new Error("left")) };
};

describe("work that is waited for", () => {
  it("goes on to the end for one that stays", () => {
    const first = leaving();
    const waiters = new Waiters([first.signal, undefined]);
    first.leave();
    expect(waiters.signal.aborted).toBe(false);
  });

  it("is over at once when all have left already, but not for those who wait beside them", () => {
    const [gone, waiting] = [leaving(), leaving()];
    gone.leave();
    expect(new Waiters([gone.signal]).signal.aborted).toBe(true);
    expect(new Waiters([gone.signal, waiting.signal]).signal.aborted).toBe(false);
  });

  it("leaves no listener behind once it has ended", () => {
    const { signal } = leaving();
    new Waiters([signal]).release();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
