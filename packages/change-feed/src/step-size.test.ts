import { describe, expect, it } from "vitest";
import { StepSize } from "./step-size.ts";

describe("the size of a follower's steps", () => {
  it("has no bound where others have connections of their own", () => {
    const size = new StepSize(false);
    size.took(500, 5_000);
    expect([size.entries(true), size.entries(false)]).toEqual([Infinity, Infinity]);
  });

  it("falls beside an import until a step takes no longer than others may wait, and rises again", () => {
    const size = new StepSize(true);
    for (let step = 0; step < 10; step++) size.took(size.entries(true), size.entries(true) * 2);
    expect(size.entries(true)).toBe(50);
    for (let step = 0; step < 10; step++) size.took(size.entries(true), size.entries(true) / 2);
    expect(size.entries(true)).toBe(200);
  });

  it("never falls below what makes a transaction worth while", () => {
    const size = new StepSize(true);
    for (let step = 0; step < 10; step++) size.took(100, 60_000);
    expect(size.entries(true)).toBe(20);
    expect(size.entries(false)).toBeGreaterThan(100);
  });
});
