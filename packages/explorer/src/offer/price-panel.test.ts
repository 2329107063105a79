import { expect, it } from "vitest";
import { lastGiveawayOf } from "./hero.tsx";

const nowMs = Date.parse("2026-06-01T00:00:00Z");
const coming = { startDate: "2026-06-01T00:00:01Z" };
const latest = { startDate: "2026-05-01T00:00:00Z" };
const earlier = { startDate: "2025-05-01T00:00:00Z" };

it("is the newest giveaway that has begun, of those with a known start", () => {
  expect(lastGiveawayOf([{ startDate: null }, coming, latest, earlier], nowMs)).toBe(latest);
});

it("is undefined while the only giveaway has not begun", () => {
  expect(lastGiveawayOf([coming], nowMs)).toBeUndefined();
});
