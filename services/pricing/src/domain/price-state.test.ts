import { pastAfter } from "@storefront/domain/price-lows";
import type { PricePast, PriceState } from "@storefront/domain/price-lows";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { snapshotStates } from "./price-state.ts";

const dayMs = 86_400_000;

const histories = fc
  .array(
    fc.record({
      gapDays: fc.integer({ min: 1, max: 40 }),
      updatedDays: fc.integer({ min: -60, max: 5 }),
      price: fc.option(
        fc.record({
          currencyCode: fc.constantFrom("JPY", "JPY", "JPY", "USD"),
          originalPrice: fc.constantFrom(0, 900),
          discountPrice: fc.constantFrom(0, 300, 500, 900),
        }),
        { nil: undefined, freq: 6 },
      ),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((steps) => {
    let day = 0;
    return steps.map(({ gapDays, updatedDays, price }): PriceState => {
      day += gapDays;
      return { observedAtMs: day * dayMs, updatedAtMs: (day + updatedDays) * dayMs, price };
    });
  });

const pastOf = (states: readonly PriceState[]) =>
  states.reduce<PricePast | undefined>((past, state) => pastAfter(past, state), undefined);
const lowestOf = (states: readonly PriceState[]) =>
  Math.min(...states.map(({ price }) => price?.discountPrice ?? Number.POSITIVE_INFINITY));

it("snapshot states result in the same steps to the lows, lowest amount and present state as all states", () => {
  fc.assert(
    fc.property(histories, (states) => {
      const shown = snapshotStates(states);
      expect(pastOf(shown)?.steps).toEqual(pastOf(states)?.steps);
      expect(lowestOf(shown)).toBe(lowestOf(states));
      expect(shown.at(-1)).toBe(states.at(-1));
    }),
    { numRuns: 2000 },
  );
});

it("snapshot states are few, however long the history", () => {
  const at = (day: number, discountPrice: number): PriceState => ({
    observedAtMs: day * dayMs,
    price: { currencyCode: "USD", originalPrice: 900, discountPrice },
  });
  const falling = Array.from({ length: 100 }, (_none, index) => at(index, 900 - index));
  expect(snapshotStates(falling)).toEqual(falling.slice(-1));
  const states = [at(1, 900), at(2, 300), at(3, 900), at(4, 800), at(5, 850)];
  expect(snapshotStates(states)).toEqual(states.slice(1));
});
