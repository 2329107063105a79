import { describe, expect, it } from "vitest";
import { textQuery } from "./text-query.ts";
import { foldText, indexWords, textKey } from "./text-words.ts";
import { maxEdits, WordList } from "./word-list.ts";

it.each([
  ["Pokémon™ CAFÉ®", "pokemon cafe"],
  ["Straße Øresund Łódź", "strasse oresund lodz"],
  ["ＦＩＮＡＬ ½", "final 1⁄2"],
  ["İstanbul ısı", "istanbul isi"],
  ["Ёлка Йод", "елка иод"],
  ["ガンダム", "ガンダム"],
  ["배틀", "배틀"],
])("folds %j to %j", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

it.each([
  ["Half-Life: Alyx", ["half", "life", "halflife", "alyx"]],
  ["S.T.A.L.K.E.R.", ["s", "t", "a", "l", "k", "e", "r", "stalker"]],
  ["Foo: [Remaster] :(", ["foo", "remaster"]],
  ["™ & — !", []],
  ["原神X", ["原", "神", "原神", "x", "原神x"]],
])("finds %j by the words %j", (text, words) => {
  expect(indexWords(text)).toEqual(words);
});

it("returns one key for titles that differ in case, accents and punctuation", () => {
  const keys = ["Half-Life", "HALF  LIFE™", "half:life", "Hálf/Lífe"].map(textKey);
  expect(new Set(keys)).toEqual(new Set(["half life"]));
});

it("treats only the last word as a prefix, and also joins hyphenated words", () => {
  expect(textQuery("Half-Life al")).toEqual([
    {
      alternatives: [
        [
          { word: "half", isPrefix: false, isCorrectable: true },
          { word: "life", isPrefix: false, isCorrectable: true },
        ],
        [{ word: "halflife", isPrefix: false, isCorrectable: true }],
      ],
    },
    { alternatives: [[{ word: "al", isPrefix: true, isCorrectable: true }]] },
  ]);
});

describe("edit distance", () => {
  it.each([
    ["ark", 0],
    ["doom", 1],
    ["control", 1],
    ["fortnite", 2],
  ])("allows %j %i edits", (word, edits) => {
    expect(maxEdits(word)).toBe(edits);
  });
});

it("corrects to the nearest words first, whole words before prefixes, never to the word itself", () => {
  const list = new WordList();
  list.add(["hades", "hadesian", "shades", "head", "quake"]);
  const typed = { word: "hadse", isPrefix: true, isCorrectable: true };
  expect(list.corrections(typed).map(({ word }) => word)).toEqual(["hades", "hadesian"]);
  expect(list.corrections({ ...typed, word: "hades" }).map(({ word }) => word)).toEqual(["shades"]);
  expect(list.corrections({ ...typed, word: "had" })).toEqual([]);
});
