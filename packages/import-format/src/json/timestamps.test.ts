import { describe, expect, it } from "vitest";
import { isTimestamp } from "@storefront/rpc";
import { parseTimestamp, timestampFromMs, timestampMsOf } from "./timestamps.ts";

describe("parseTimestamp", () => {
  it.each([
    ["2021-03-16T19:05:41Z", "2021-03-16T19:05:41.000Z"],
    ["2021-03-16T19:05Z", "2021-03-16T19:05:00.000Z"],
    ["2021-03-16T19:05:41.1Z", "2021-03-16T19:05:41.100Z"],
    ["2021-03-16T19:05:41.123999Z", "2021-03-16T19:05:41.123Z"],
    ["2020-02-29T23:59:59.999Z", "2020-02-29T23:59:59.999Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is %s", (text, iso) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(iso);
  });

  it.each([
    "",
    "2021-03-16",
    "2021-03-16T19:05:41",
    "2021-03-16T19:05:41+00:00",
    "2021-03-16 19:05:41Z",
    "2021-03-16t19:05:41z",
    "2021-02-29T00:00:00Z",
    "2021-04-31T00:00:00Z",
    "2021-13-01T00:00:00Z",
    "2021-01-00T00:00:00Z",
    "2021-01-01T24:00:00Z",
    "2021-01-01T23:60:00Z",
    "2021-01-01T23:59:60Z",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    " 2021-03-16T19:05:41Z",
  ])("%j is not a timestamp", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

it("a Timestamp's nanoseconds are never negative, and its milliseconds round-trip", () => {
  for (const timeMs of [0, 1, -1, -999, -1000, 1_585_234_800_123, -62_135_596_800_000]) {
    const message = timestampFromMs(timeMs);
    expect(message.nanos).toBeGreaterThanOrEqual(0);
    expect(isTimestamp(message)).toBe(true);
    expect(timestampMsOf(message)).toBe(timeMs);
  }
});
