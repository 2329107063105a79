import { neverLowerMs } from "@storefront/domain/price-lows";
import type { PriceState } from "@storefront/domain/price-lows";
import { expect, it } from "vitest";
import { indexedLows, withPrice } from "./price-history.ts";
import type { StoredPrice } from "./price-history.ts";

const seen = (
  originalPrice: number,
  discountPrice: number,
  observedAtMs = 0,
  currencyCode = "USD",
): PriceState => ({ observedAtMs, price: { currencyCode, originalPrice, discountPrice } });
const gone = (observedAtMs = 0): PriceState => ({ observedAtMs });

const after = (...states: PriceState[]): StoredPrice => {
  const price = states.reduce<StoredPrice | undefined>(withPrice, undefined);
  if (price === undefined) throw new Error("no state");
  return price;
};

it("preserves the lowest on record, also across a time without a price", () => {
  const price = after(seen(900, 900), seen(900, 300), gone(), seen(900, 400));
  expect(price).toMatchObject({ original: 900, discounted: 400, updatedAtMs: null, lowest: 300 });
});

it("reports the lowest only for a discounted price that exists", () => {
  const isLowest = (...states: PriceState[]) => indexedLows(after(...states)).isLowest;
  expect(isLowest(seen(900, 500))).toBe(true);
  expect(isLowest(seen(900, 500), seen(800, 500))).toBe(true);
  expect(isLowest(seen(900, 900))).toBe(false);
  expect(isLowest(seen(900, 500), seen(900, 600))).toBe(false);
  expect(isLowest(seen(900, 500), gone())).toBe(false);
});

it("reports since when there was no lower price, by the rules of lows", () => {
  const risen = after(seen(900, 500, 1), seen(900, 600, 2), seen(900, 900, 3));
  const since = (price: StoredPrice, releasedAtMs?: number) =>
    indexedLows(price, releasedAtMs).lowestSinceMs;
  expect(since(risen)).toBe(3);
  expect(since(risen, 3)).toBe(neverLowerMs);
  expect(since(risen, 2)).toBe(3);
  const neverLower = after(seen(900, 900, 1), seen(900, 500, 2));
  const givenAwayBefore = after(seen(900, 0, 1), seen(900, 900, 2));
  const givenAway = after(seen(900, 500, 1), seen(900, 0, 2));
  const anotherCurrency = after(seen(900, 500, 1), seen(990, 990, 2, "EUR"));
  expect(since(neverLower)).toBe(neverLowerMs);
  expect(since(givenAwayBefore)).toBe(neverLowerMs);
  expect(since(givenAway)).toBeNull();
  expect(since(anotherCurrency)).toBe(neverLowerMs);
});

it("is not changed by repeated states, as after a snapshot", () => {
  const states = [seen(900, 500, 1), seen(900, 900, 2), seen(900, 400, 3), seen(900, 700, 4)];
  const price = after(...states);
  expect(states.reduce<StoredPrice>(withPrice, price)).toEqual(price);
});

it("is not changed by repeated states that were observed long after they began", () => {
  const states = [300, 500, 900].map((amount, index) => ({
    ...seen(900, amount, 1_000 + index),
    updatedAtMs: index,
  }));
  const price = after(...states);
  expect(states.reduce<StoredPrice>(withPrice, price)).toEqual(price);
});

it("accepts an older state after an observation without a price", () => {
  expect(after(gone(9), seen(900, 500, 1))).toMatchObject({ discounted: 500 });
});

it("reports no start of the low for a price that a release without lows has stored", () => {
  const stored = withPrice({ ...after(seen(900, 900, 1)), floor: null }, seen(900, 500, 2));
  expect(indexedLows(stored)).toEqual({ isLowest: true, lowestSinceMs: null });
  expect(indexedLows(withPrice(stored, seen(900, 400, 3))).lowestSinceMs).toBeNull();
});
