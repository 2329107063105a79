import { expect, test } from "vitest";
import { announcesBreak } from "./api-version.ts";

test.for([
  ["1.2.0", "2.0.0", true],
  ["1.2.0", "1.3.0", false],
  ["0.1.0", "0.2.0", true],
  ["0.1.0", "0.1.1", false],
  ["0.9.0", "1.0.0", true],
  ["2.0.0", "1.9.0", false],
  ["1.0.0", "1.0.0", false],
] as const)("from %s to %s announces a break: %s", ([before, after, expected]) => {
  expect(announcesBreak(before, after)).toBe(expected);
});
