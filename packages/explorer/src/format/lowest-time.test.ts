import { expect, it } from "vitest";
import { lowestTimeOf } from "./lowest-time.ts";

const price = {
  currencyCode: "USD",
  currencyDecimals: 2,
  originalPrice: 2000,
  discountPrice: 500,
  discount: 1500,
  percentOff: 75,
};
const reduction = {
  since: "2026-03-02T00:00:00.000Z",
  priceBefore: 2000,
  lowest30DaysBefore: 2000,
};
const lowOf = (discountPrice: number) => ({
  discountPrice,
  firstAt: "2026-03-02T00:00:00.000Z",
  lastAt: null,
});

/** The lowest prices of 30, 90 and 365 days and ever. */
const lowsOf = (days30: number, days90: number, days365: number, ever: number) => ({
  since: "2020-01-02T00:00:00.000Z",
  ever: lowOf(ever),
  days365: lowOf(days365),
  days90: lowOf(days90),
  days30: lowOf(days30),
  reduction,
  exclusions: [],
});

it.each([
  ["that was never lower", { price, lows: lowsOf(500, 500, 500, 500) }, "ever"],
  ["that was lower over a year ago", { price, lows: lowsOf(500, 500, 500, 400) }, "days365"],
  ["that was lower within a year", { price, lows: lowsOf(500, 500, 400, 400) }, "days90"],
  ["that was lower within 90 days", { price, lows: lowsOf(500, 400, 400, 400) }, "days30"],
  ["that was lower within 30 days", { price, lows: lowsOf(400, 400, 400, 400) }, undefined],
  [
    "at its lowest without a reduction",
    { price, lows: { ...lowsOf(500, 500, 500, 500), reduction: null } },
    undefined,
  ],
  [
    "with lows of the last 90 days only",
    { price, lows: { ...lowsOf(500, 500, 500, 500), ever: null, days365: null } },
    "days90",
  ],
  ["without lows", { price, lows: undefined }, undefined],
])("a price %s is shown as the lowest of the longest possible time", (_what, found, expected) => {
  expect(lowestTimeOf(found)?.time).toBe(expected);
});
