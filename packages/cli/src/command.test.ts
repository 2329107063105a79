import { expect, test } from "vitest";
import { durationOption } from "./command.ts";

test.each([
  ["0", 0],
  ["250ms", 250],
  ["30s", 30_000],
  ["10m", 600_000],
  ["1h", 3_600_000],
])("%s is a duration", (text, milliseconds) => {
  expect(durationOption("retry-for", text)).toBe(milliseconds);
});

test.each(["", "5", "-5m", "1.5h", "5 m", "5d", "m"])("%s is not a duration", (text) => {
  expect(() => durationOption("retry-for", text)).toThrow("--retry-for must be a time");
});
