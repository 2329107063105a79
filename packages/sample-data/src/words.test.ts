import { expect, it } from "vitest";
import { expand, genres, locales, withArticles } from "./words.ts";
import { ratingSystems } from "./age-rating.ts";

it("replaces placeholders, capitalized where the template is", () => {
  expect(expand("{Hero} and {hero}", { hero: "a diver" })).toBe("A diver and a diver");
});

it("rejects a template with an unknown placeholder", () => {
  expect(() => expand("{heroine}", { hero: "a diver" })).toThrow(Error);
});

it("uses `an` before a vowel", () => {
  expect(withArticles("A old a boat, A Acorn, panda art")).toBe(
    "An old a boat, An Acorn, panda art",
  );
});

it.each(genres)(
  "has an age for $key that every system rates, and its name in every locale",
  (genre) => {
    for (const { ratings } of ratingSystems) expect(ratings).toHaveProperty(`${genre.minimumAge}`);
    for (const locale of locales) expect(locale.genres).toHaveProperty(genre.key);
  },
);

it.each(genres)("has enough words for $key, each of them once", (genre) => {
  for (const list of [genre.adjectives, genre.nouns]) {
    expect(list.length).toBeGreaterThanOrEqual(12);
    expect(new Set(list).size).toBe(list.length);
  }
  for (const list of [genre.heroes, genre.goals, genre.places, genre.threats])
    expect(new Set(list).size).toBeGreaterThanOrEqual(5);
  for (const list of [genre.features, genre.addOns])
    expect(new Set(list).size).toBeGreaterThanOrEqual(6);
});

it("has separate descriptions for every locale", () => {
  expect(new Set(locales.map(({ locale }) => locale)).size).toBe(locales.length);
  expect(new Set(locales.flatMap(({ descriptions }) => descriptions)).size).toBe(
    locales.length * 3,
  );
});
