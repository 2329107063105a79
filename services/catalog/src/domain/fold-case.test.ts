import { expect, it } from "vitest";
import { foldCase } from "./fold-case.ts";

it.each([
  ["STRASSE", "straße"],
  ["ẞ", "ss"],
  ["ΣΊΣΥΦΟΣ", "σίσυφος"],
  ["Άς", "ΆΣ"],
  ["ﬁn", "FIN"],
  ["K", "k"],
  ["İ", "i̇"],
  ["Привет", "ПРИВЕТ"],
  ["ꭰ", "Ꭰ"],
])("makes %j and %j equal", (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other));
});

it.each([
  ["ı", "i"],
  ["e", "é"],
  ["ß", "s"],
])("distinguishes %j and %j", (one, other) => {
  expect(foldCase(one)).not.toBe(foldCase(other));
});

it("folds a prefix to a part of the folded text", () => {
  const text = "ΟΔΥΣΣΕΥΣ ἐν Straße";
  for (let end = 1; end <= text.length; end += 1) {
    expect(foldCase(text)).toContain(foldCase(text.slice(0, end)));
  }
});
