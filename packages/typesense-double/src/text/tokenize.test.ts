import { describe, expect, it } from "vitest";
import { editDistance, prefixDistance } from "./edit-distance.ts";
import { tokenizer, tokens } from "./tokenize.ts";

const plain = { locale: "", symbols: [], separators: [] };

describe("tokenizer", () => {
  it.each([
    ["Half-Life 2", ["halflife", "2"]],
    ["S.T.A.L.K.E.R.™ — Clear Sky", ["stalkertm", "clear", "sky"]],
    ["Pokémon® ½ ¥", ["pokemonr", "12", "yen"]],
    ["你2好吗 ТЕСТ", ["你2好吗", "ТЕСТ"]],
    ["!? …", []],
  ])("cuts %s at white space only and folds Latin letters", (text, words) => {
    expect(tokenizer(plain)(text)).toEqual(words);
  });

  it("keeps symbols and cuts at separators where told to", () => {
    const cut = tokenizer({ locale: "", symbols: ["+"], separators: ["-"] });
    expect(cut("C++ Half-Life")).toEqual(["c++", "half", "life"]);
  });

  it("says where in the text each word stands", () => {
    expect(tokens("Ōkami-HD (2)", plain)).toEqual([
      { word: "okamihd", start: 0, end: 8 },
      { word: "2", start: 10, end: 11 },
    ]);
  });

  it("cuts by a locale's rules and folds its case", () => {
    const cut = tokenizer({ ...plain, locale: "ru" });
    expect(cut("Ведьмак, ТЕСТ!")).toEqual(["vedmak", "test"]);
  });
});

describe("edit distances", () => {
  it("count swapped neighbours once and other scripts by their bytes", () => {
    expect(editDistance("witcher", "wicther")).toBe(1);
    expect(editDistance("josh", "joshua")).toBe(2);
    expect(editDistance("тест", "тесто")).toBe(2);
  });

  it("compare with the beginning that fits best", () => {
    expect(prefixDistance("chargr", "chargers", 2)).toBe(1);
  });
});
