import { expect, it } from "vitest";
import { QueryCorrections } from "./query-corrections.ts";
import { WordList } from "./word-list.ts";

const typed = (word: string) => ({ word, isPrefix: false, isCorrectable: true });

it("corrects what is not known by the nearest, and what is known only when asked for all", () => {
  const list = new WordList();
  list.add(["borderland", "borderlands", "hades", "shades"]);
  const corrections = new QueryCorrections(list);
  expect(corrections.nearest(typed("bordrland"))).toEqual([{ word: "borderland", edits: 1 }]);
  expect(corrections.all(typed("bordrland")).map(({ word }) => word)).toEqual([
    "borderland",
    "borderlands",
  ]);
  expect(corrections.nearest(typed("hades"))).toEqual([]);
  expect(corrections.all(typed("hades"))).toEqual([{ word: "shades", edits: 1 }]);
});

it("leaves words of less than 4 letters, and pairs of letters, as they are", () => {
  const list = new WordList();
  list.add(["ark", "原神の星"]);
  const corrections = new QueryCorrections(list);
  expect(corrections.all(typed("arc"))).toEqual([]);
  expect(corrections.all({ ...typed("原神の月"), isCorrectable: false })).toEqual([]);
});

it("looks up 20 words of a text, however many there are, and however often they are asked for", () => {
  const words = Array.from({ length: 30 }, (_, n) => `word${n + 10}letters`);
  const list = new WordList();
  list.add(words);
  const corrections = new QueryCorrections(list);
  const corrected = () =>
    words.filter((word) => corrections.nearest(typed(`${word}x`)).length > 0).length;
  expect(corrected()).toBe(20);
  expect(corrected()).toBe(20);
});
