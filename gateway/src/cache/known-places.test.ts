import { expect, it } from "vitest";
import { KnownPlaces } from "./known-places.ts";

const place = (sequence: number, identity = `of ${sequence}`) => ({ sequence, identity });

it("knows the places that were passed, and no others with their sequences", () => {
  const places = new KnownPlaces();
  places.begin(place(5));
  places.pass(place(7));
  expect([5, 7].map((sequence) => places.has(place(sequence)))).toEqual([true, true]);
  expect(places.has(place(7, "lost"))).toBe(false);
  expect(places.has(place(6))).toBe(false);
  expect(places.has(place(8))).toBe(false);
});

it("says nothing of places before it began, or before what it remembers", () => {
  const places = new KnownPlaces(3);
  places.begin(place(5));
  expect(places.has(place(4))).toBeUndefined();
  for (let sequence = 6; sequence <= 12; sequence++) places.pass(place(sequence));
  expect(places.has(place(5))).toBeUndefined();
  expect(places.has(place(12))).toBe(true);
  expect(places.has(place(11, "lost"))).toBe(false);
});

it("forgets everything when it begins anew", () => {
  const places = new KnownPlaces();
  places.begin(place(5));
  places.pass(place(9));
  places.begin(place(7, "another"));
  expect(places.has(place(9))).toBe(false);
  expect(places.has(place(7))).toBe(false);
  expect(places.has(place(7, "another"))).toBe(true);
});
