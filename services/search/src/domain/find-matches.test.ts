import { expect, it } from "vitest";
import { textQuery } from "./text-query.ts";
import { searchChunks } from "../engine/text-match.ts";
import { findMatches, markedWords } from "./find-matches.ts";

/** A text with the matches of a query in square brackets. */
function matchesIn(text: string, query: string, options = { joinsNeighbours: true }): string {
  let bracketed = "";
  let at = 0;
  for (const { start, end } of findMatches(
    text,
    markedWords(searchChunks(textQuery(query))),
    options,
  )) {
    bracketed += `${text.slice(at, start)}[${text.slice(start, end)}]`;
    at = end;
  }
  return bracketed + text.slice(at);
}

it.each([
  [
    "harbour",
    "The Harbour, harbours and a harbour-master",
    "The [Harbour], [harbours] and a [harbour]-master",
  ],
  ["moon harb", "Moonlit Harbour: Moon", "Moonlit [Harbour]: [Moon]"],
  ["half life", "Half-Life 2", "[Half]-[Life] 2"],
  ["halflife", "Half-Life and Half Life", "[Half-Life] and [Half Life]"],
  ["half-life", "Half-Life, Halflife", "[Half]-[Life], [Halflife]"],
  ["half", "Half-Life Half Life", "[Half]-Life [Half] Life"],
  ["half halfl", "Half-Life", "[Half]-Life"],
  ["stalker", "S.T.A.L.K.E.R.: Clear Sky", "[S.T.A.L.K.E.R].: Clear Sky"],
  ["pokemon cafe", "Pokémon™ Cafe\u0301 ReMix", "[Pokémon]™ [Cafe\u0301] ReMix"],
  ["strasse", "“Straße™”-Bahn", "“[Straße]™”-Bahn"],
  ["οδυσσευς", "(ΟΔΥΣΣΕΎΣ)", "([ΟΔΥΣΣΕΎΣ])"],
  ["スターレイル", "崩壊：スターレイル", "崩壊：[スターレイル]"],
  ["原神", "原神 神原", "[原神] 神原"],
  ["原", "「原神」原。", "「[原]神」[原]。"],
  ["ｶﾞﾝﾀﾞﾑ", "ｶﾞﾝﾀﾞﾑ戦記", "[ｶﾞﾝﾀﾞﾑ]戦記"],
  // Halfwidth letters of one syllable are separate graphemes.
  ["가", "(\uffa1\uffc2) 나", "[(\uffa1\uffc2)] 나"],
  ["moon", "Sun", "Sun"],
])("marks what %j matches in %j", (query, text, expected) => {
  expect(matchesIn(text, query)).toBe(expected);
});

it("joins neighbours only where the index joins them", () => {
  expect(matchesIn("Half Life", "halflife", { joinsNeighbours: false })).toBe("Half Life");
});

it("reads only the beginning of a long text", () => {
  const text = `${"sun, ".repeat(1_000)}moon`;
  expect(matchesIn(text, "moon")).toBe(text);
  expect(matchesIn(text.slice(5), "moon")).toContain("[moon]");
});
