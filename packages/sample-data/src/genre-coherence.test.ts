import { expect, it } from "vitest";
import { generateCatalogue } from "./generate-catalogue.ts";
import { genres } from "./words.ts";

it("describes and tags every game with the words of one genre", () => {
  const goals = new Map(genres.flatMap((genre) => genre.goals.map((goal) => [goal, genre])));
  const places = new Map(genres.flatMap((genre) => genre.places.map((place) => [place, genre])));
  const now = new Date("2026-11-21T09:00:00.000Z");
  let games = 0;
  for (const { kind, record } of generateCatalogue({ offers: 1000, seed: 1, now })) {
    if (kind !== "offer" || record.offerType !== "BASE_GAME") continue;
    const text = record.description.toLowerCase();
    const used = [...goals, ...places].filter(([part]) => text.includes(part.toLowerCase()));
    const [genre, ...others] = new Set(used.map(([, owner]) => owner));
    expect(others).toEqual([]);
    expect(record.tags.map(({ name }) => name)).toContain(genre?.tags[0]);
    games++;
  }
  expect(games).toBeGreaterThan(100);
});
