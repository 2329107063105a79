import { vi } from "vitest";

const realNow = performance.now.bind(performance);
let passedMs = 0;
vi.spyOn(performance, "now").mockImplementation(() => realNow() + passedMs);

/** Advances the clock of `performance.now()` for the whole test file. */
export function passSeconds(seconds: number): void {
  passedMs += seconds * 1000;
}
