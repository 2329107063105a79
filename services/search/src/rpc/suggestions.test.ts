import { expect, it } from "vitest";
import { correctionOf } from "./suggestions.ts";

it.each([
  ["starlss se", "<mark>Starless</mark> <mark>Sea</mark>: Two", "Starless Sea"],
  ["starless se", "<mark>Starless</mark> <mark>Sea</mark>: Two", undefined],
  ["STARLESS", "The <mark>Starless</mark> Sea", undefined],
  ["epic", "", undefined],
  ["baldurs gte", "<mark>Baldur&#39;s</mark> <mark>Gate</mark> 3", "Baldur's Gate"],
  ["baldurs gate", "<mark>Baldur&#39;s</mark> <mark>Gate</mark> 3", undefined],
  ["baldur's gate", "<mark>Baldur</mark>&#39;<mark>s</mark> <mark>Gate</mark> 3", undefined],
  ["spider-man", "<mark>Spider</mark>-<mark>Man</mark>", undefined],
  ["moonlit harbour", "<mark>Moonlit</mark>", undefined],
])("corrects %s by the matches in %s", (text, marked, corrected) => {
  expect(correctionOf(text, marked)).toBe(corrected);
});
