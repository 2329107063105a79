import { expect, it } from "vitest";
import { correctionOf } from "./suggestions.ts";

it.each([
  ["starlss se", "<mark>Starless</mark> <mark>Sea</mark>: Two", "Starless Sea"],
  ["starless se", "<mark>Starless</mark> <mark>Sea</mark>: Two", undefined],
  ["STARLESS", "The <mark>Starless</mark> Sea", undefined],
  ["epic", "", undefined],
])("corrects %s by the matches in %s", (text, marked, corrected) => {
  expect(correctionOf(text, marked)).toBe(corrected);
});
