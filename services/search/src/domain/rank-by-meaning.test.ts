import { expect, it } from "vitest";
import { maxFound, nearestCount, rankByMeaning, contentWords } from "./rank-by-meaning.ts";
import type { WordHolders, WordPlace } from "./rank-by-meaning.ts";

const offerCount = 10_000;
const word = (found: number, ...holders: [string, WordPlace][]): WordHolders<string> => ({
  found,
  holders,
});
const near = Array.from({ length: nearestCount }, (_, rank) => ({
  key: `near ${rank}`,
  cosine: 0.9 - rank / 1_000,
}));
const rank = (words: WordHolders<string>[]) =>
  [...rankByMeaning(near, words, offerCount)].toSorted((a, b) => b[1] - a[1]).map(([key]) => key);

it("ranks by nearness alone if no offer, or most offers, have the words", () => {
  const expected = near.map(({ key }) => key);
  expect(rank([])).toEqual(expected);
  expect(rank([word(0)])).toEqual(expected);
  expect(rank([word(maxFound(offerCount) + 1, ["near 5", "named"])])).toEqual(expected);
});

it("ranks an offer that is named in full before the nearest", () => {
  const words = [word(2, ["it", "named"], ["other", "described"]), word(1, ["it", "named"])];
  expect(rank(words)[0]).toBe("it");
});

it("ranks the nearest before an offer with a word in its description by chance", () => {
  const words = [word(40, ["far", "described"]), word(30), word(50)];
  expect(rank(words)[0]).toBe("near 0");
  expect(rank([word(40, ["near 4", "described"]), word(30)])).toEqual([
    "near 4",
    ...near.map(({ key }) => key).filter((key) => key !== "near 4"),
  ]);
});

it("weighs a rare word more than a common one, and a better field more than a worse one", () => {
  const scores = rankByMeaning(
    [],
    [word(2, ["rare", "named"]), word(800, ["common", "named"]), word(2, ["worse", "tagged"])],
    offerCount,
  );
  const [rare = 0, common = 0, worse = 0] = ["rare", "common", "worse"].map((key) =>
    scores.get(key),
  );
  expect(rare).toBeGreaterThan(common);
  expect(rare).toBeGreaterThan(worse);
});

it.each([
  ["nothing", []],
  ["one offer", near.slice(0, 1)],
  ["offers equally near", near.map(({ key }) => ({ key, cosine: 0.5 }))],
  ["a few offers", near.slice(0, 3)],
])("returns scores from 0 to 1 with %s near", (_, some) => {
  const words = [word(1, ["near 0", "named"]), word(1, ["near 0", "named"], ["x", "tagged"])];
  for (const score of rankByMeaning(some, words, 3).values()) {
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
  }
});

it("leaves out function words and duplicates", () => {
  expect(contentWords("something like THE orchard, and the Orchard?")).toEqual([
    "something",
    "orchard",
  ]);
  expect(contentWords("?! and the")).toEqual([]);
});
