import { describe, expect, it } from "vitest";
import { maxStepEntries, StepSize } from "./pace.ts";

/** The size after ten steps with this duration per entry, in milliseconds. */
function sizeAfter(isShared: boolean, entryMs: number): number {
  const size = new StepSize(isShared);
  for (let step = 0; step < 10; step++) size.took(size.entries, size.entries * entryMs);
  return size.entries;
}

describe("the size of a follower's steps", () => {
  it("is the number of entries that a follower applies in the step duration", () => {
    expect(sizeAfter(true, 2)).toBe(50);
    expect(sizeAfter(true, 0.5)).toBe(200);
    expect(sizeAfter(false, 0.5)).toBe(1_000);
  });

  it("stays between the smallest and the largest step", () => {
    expect(sizeAfter(true, 600)).toBe(20);
    expect(sizeAfter(true, 0.001)).toBe(maxStepEntries);
  });

  it("shrinks after each step that fails", () => {
    const size = new StepSize(false);
    const before = size.entries;
    size.failed();
    expect(size.entries).toBe(before / 2);
  });

  it("ignores steps of few entries", () => {
    const size = new StepSize(true);
    const before = size.entries;
    size.took(3, 5_000);
    expect(size.entries).toBe(before);
  });
});
