import { expect, it } from "vitest";
import { isLowest } from "./is-lowest.ts";

const price = { currencyCode: "USD", originalPrice: 2000, discountPrice: 500, discount: 1500 };
const reduction = {
  since: "2026-03-02T00:00:00.000Z",
  priceBefore: 2000,
  lowest30DaysBefore: 2000,
};
const lowsOf = (discountPrice: number) => ({
  since: "2026-01-02T00:00:00.000Z",
  ever: { discountPrice, firstAt: "2026-03-02T00:00:00.000Z", lastAt: null },
  days365: null,
  days90: null,
  days30: null,
  reduction,
  exclusions: [],
});

it.each([
  ["reduced to what it never was below", { price, lows: lowsOf(500) }, true],
  ["reduced to more than it was once", { price, lows: lowsOf(400) }, false],
  [
    "at its lowest without a reduction",
    { price, lows: { ...lowsOf(500), reduction: null } },
    false,
  ],
  ["of no price that counts", { price, lows: { ...lowsOf(500), ever: null } }, false],
  ["without lows", { price, lows: undefined }, false],
])("a price that is %s", (_what, found, expected) => {
  expect(isLowest(found)).toBe(expected);
});
