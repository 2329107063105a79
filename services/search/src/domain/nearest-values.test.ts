import { expect, it } from "vitest";
import { labelOf } from "./label.ts";
import { nearestValues } from "./nearest-values.ts";

const tags = ["Competitive", "Co-op", "Single Player", "Multiplayer", "MMO"].map((name, index) =>
  labelOf(name, String(index)),
);

it.each([
  ["competitive", ["Competitive"]],
  ["Competitve", ["Competitive"]],
  ["coop", ["Co-op"]],
  ["player", ["Single Player", "Multiplayer"]],
  ["1", []],
  ["??", []],
])("suggests values for %s", (typed, names) => {
  expect(nearestValues(typed, tags).map((label) => label.split("\u001F")[0])).toEqual(names);
});

it("suggests at most five values, first those that differ only in case", () => {
  const values = ["Star One", "Star Two", "Star Three", "Star Four", "Star Five", "STAR"];
  expect(nearestValues("star", values)).toEqual(["STAR", ...values.slice(0, 4)]);
});
