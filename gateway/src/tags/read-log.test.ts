import { expect, test } from "vitest";
import { ReadLog } from "./read-log.ts";

test("reads do not depend on the order of the responses", () => {
  const [one, other] = [new ReadLog(), new ReadLog()];
  one.note("pricing", ["price:a"]);
  one.note("catalog", ["offer:a"]);
  other.note("catalog", ["offer:a"]);
  other.note("pricing", ["price:a"]);
  expect(one.reads()).toEqual(other.reads());
});
