import { expect, it } from "vitest";
import { QueryCorrections } from "./query-corrections.ts";
import { WordList } from "./word-list.ts";

const typed = (word: string) => ({ word, isPrefix: false, isCorrectable: true });

it("corrects unknown words to the nearest, and known ones only on request", async () => {
  const list = new WordList();
  list.add(["borderland", "borderlands", "hades", "shades"]);
  const corrections = new QueryCorrections(list);
  const words = [typed("bordrland"), typed("hades")];
  await corrections.lookUp(words, { isKnownToo: false });
  expect(corrections.nearest(typed("bordrland"))).toEqual([{ word: "borderland", edits: 1 }]);
  expect(corrections.all(typed("bordrland")).map(({ word }) => word)).toEqual([
    "borderland",
    "borderlands",
  ]);
  expect(corrections.nearest(typed("hades"))).toEqual([]);
  await corrections.lookUp(words, { isKnownToo: true });
  expect(corrections.all(typed("hades"))).toEqual([{ word: "shades", edits: 1 }]);
});

it("does not correct words of less than 4 letters, nor pairs of letters", async () => {
  const list = new WordList();
  list.add(["ark", "原神の星"]);
  const corrections = new QueryCorrections(list);
  const words = [typed("arc"), { ...typed("原神の月"), isCorrectable: false }];
  await corrections.lookUp(words, { isKnownToo: true });
  expect(words.flatMap((word) => corrections.all(word))).toEqual([]);
});

it("looks up at most 20 words of a text, and yields after each", async () => {
  const words = Array.from({ length: 30 }, (_, n) => `word${n + 10}letters`);
  const list = new WordList();
  list.add(words);
  const corrections = new QueryCorrections(list);
  let turns = 0;
  const takeTurns = () => {
    turns += 1;
    next = setImmediate(takeTurns);
  };
  let next = setImmediate(takeTurns);
  const requested = words.map((word) => typed(`${word}x`));
  await corrections.lookUp(requested, { isKnownToo: false });
  await corrections.lookUp(requested, { isKnownToo: true });
  clearImmediate(next);
  expect(requested.filter((word) => corrections.nearest(word).length > 0)).toHaveLength(20);
  expect(turns).toBeGreaterThanOrEqual(19);
});
