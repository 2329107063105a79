import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { instantOf } from "./instant.ts";

const instantAt = (milliseconds: number) => {
  const seconds = Math.floor(milliseconds / 1000);
  const nanos = (milliseconds - seconds * 1000) * 1_000_000;
  return instantOf(create(TimestampSchema, { seconds: BigInt(seconds), nanos }));
};

const dayMs = 86_400_000;

test.each([
  // The calendar repeats after 400 years.
  ["every day of 400 years", "1801-01-01T00:00:00Z", "2201-01-01T00:00:00Z", dayMs + 1001],
  ["days of every year", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", 59 * dayMs + 61_001],
])("%s are written as a Date writes them", (_what, from, to, stepMs) => {
  const differing: number[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += stepMs) {
    if (instantAt(at) !== new Date(at).toISOString()) differing.push(at);
  }
  expect(differing).toEqual([]);
});

test.each([
  ["the earliest instant", "0001-01-01T00:00:00.000Z"],
  ["the latest instant", "9999-12-31T23:59:59.999Z"],
  ["the last millisecond before 1970", "1969-12-31T23:59:59.999Z"],
  ["a leap day of a century", "2000-02-29T23:59:59.001Z"],
  ["the day after February of a century without one", "1900-03-01T00:00:00.000Z"],
])("%s is written to the millisecond", (_what, text) => {
  expect(instantAt(Date.parse(text))).toBe(text);
});

test.each([-62_135_596_800_001, 253_402_300_800_000])(
  "an instant beyond the years of a timestamp, %d, is written as a Date writes it",
  (milliseconds) => {
    expect(instantAt(milliseconds)).toBe(new Date(milliseconds).toISOString());
  },
);

test("nanoseconds are truncated, not rounded", () => {
  expect(instantOf(create(TimestampSchema, { seconds: 0n, nanos: 999_999_999 }))).toBe(
    "1970-01-01T00:00:00.999Z",
  );
});

test("an unknown instant is null", () => {
  expect(instantOf(undefined)).toBeNull();
});
