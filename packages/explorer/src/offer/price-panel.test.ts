import { expect, it } from "vitest";
import { lastGiveawayOf } from "./hero.tsx";

const nowMs = Date.parse("2026-06-01T00:00:00Z");
const coming = { startDate: "2026-06-01T00:00:01Z" };
const latest = { startDate: "2026-05-01T00:00:00Z" };
const earlier = { startDate: "2025-05-01T00:00:00Z" };

it("is the newest one that has begun, of those whose beginning is known", () => {
  expect(lastGiveawayOf([{ startDate: null }, coming, latest, earlier], nowMs)).toBe(latest);
});

it("is none while the only one is still to come", () => {
  expect(lastGiveawayOf([coming], nowMs)).toBeUndefined();
});
