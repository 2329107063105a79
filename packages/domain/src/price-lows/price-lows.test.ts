import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import type { PricePast as PastMessage } from "@storefront/contracts/pricing/v1/price_past";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { modelLows } from "../../test/price-lows-model.ts";
import {
  floorAfter,
  lowestSince,
  lowsOf,
  neverLowerMs,
  pastAfter,
  pastMessage,
  pastOfMessage,
} from "./index.ts";
import type { LowsQuestion, PriceFloor, PricePast, PriceState } from "./index.ts";

const dayMs = 86_400_000;
const day = (number: number) => number * dayMs;

/** A state seen on a day: `now` of `original`, or deleted. */
const seen = (observed: number, now?: number, original = 1000, more: Partial<PriceState> = {}) => ({
  observedAtMs: day(observed),
  ...(now !== undefined && {
    price: { currencyCode: "USD", originalPrice: original, discountPrice: now },
  }),
  ...more,
});

function pastOf(states: readonly PriceState[]): PricePast {
  const [first, ...rest] = states;
  if (first === undefined) throw new TypeError("a past has a state");
  return rest.reduce(pastAfter, pastAfter(undefined, first));
}

const lows = (states: readonly PriceState[], at: number, released?: number) =>
  lowsOf(pastOf(states), {
    atMs: day(at),
    ...(released !== undefined && { releasedAtMs: day(released) }),
  });

it("returns the lowest of each window with its first and last time", () => {
  const states = [seen(0, 1000), seen(10, 300), seen(20, 1000), seen(500, 500), seen(510, 1000)];
  const again = [...states, seen(530, 500), seen(535, 900)];
  const { ever, days365, days90, days30 } = lows(again, 550);
  expect(ever).toEqual({ discountPrice: 300, firstAtMs: day(10), lastAtMs: day(20) });
  const half = { discountPrice: 500, firstAtMs: day(500), lastAtMs: day(535) };
  expect([days365, days90]).toEqual([half, half]);
  expect(days30).toEqual({ ...half, firstAtMs: day(530) });
  expect(lows(again, 600).days30).toEqual({
    discountPrice: 900,
    firstAtMs: day(535),
    lastAtMs: null,
  });
});

it("excludes giveaways, prices before the release, and other currencies, and reports it", () => {
  const yen = { currencyCode: "JPY", originalPrice: 9800, discountPrice: 9800 };
  const states = [
    { observedAtMs: day(0), price: yen },
    seen(1, 200),
    seen(5, 700),
    seen(6, 0),
    seen(7, 700),
  ];
  const result = lows(states, 8, 5);
  expect(result.ever).toEqual({ discountPrice: 700, firstAtMs: day(5), lastAtMs: null });
  expect(result.excluded).toEqual(["giveaway", "beforeRelease", "otherCurrency"]);
  expect(lows(states, 8, 9)).toMatchObject({ ever: null, days30: null, changesAtMs: day(9) });
  expect(lows([seen(1, 0, 0)], 2)).toMatchObject({ ever: { discountPrice: 0 }, excluded: [] });
});

it("counts a reduction in steps from the first of them, across giveaways", () => {
  const falling = [
    seen(0, 800, 800),
    seen(100, 1000),
    seen(120, 700),
    seen(125, 0),
    seen(127, 500),
  ];
  const reduction = { sinceMs: day(120), priceBefore: 1000, lowest30DaysBefore: 800 };
  expect(lows(falling, 130).reduction).toEqual(reduction);
  expect(lows(falling, 130, 110).reduction).toEqual({ ...reduction, lowest30DaysBefore: 1000 });
  expect(lows([...falling, seen(128, 0)], 130).reduction).toBeNull();
  expect(lows([...falling, seen(128, 1000)], 130).reduction).toBeNull();
});

it("restarts a reduction where the price rises, or was deleted", () => {
  const risen = [seen(0, 1000), seen(50, 400), seen(60, 600)];
  expect(lows(risen, 61).reduction).toEqual({
    sinceMs: day(60),
    priceBefore: 400,
    lowest30DaysBefore: 400,
  });
  const back = [seen(0, 1000), seen(50, 400), seen(60), seen(95, 400)];
  expect(lows(back, 96).reduction).toEqual({
    sinceMs: day(95),
    priceBefore: 400,
    lowest30DaysBefore: null,
  });
  const raised = [seen(0, 400, 400), seen(60, 400, 1000)];
  expect(lows(raised, 61).reduction?.lowest30DaysBefore).toBe(400);
});

const amount = fc.constantFrom(0, 300, 300, 500, 700, 1000);
const price = fc.record({
  currencyCode: fc.constantFrom("JPY", "JPY", "JPY", "JPY", "JPY", "USD"),
  originalPrice: fc.constantFrom(0, 300, 500, 1000, 1000, 1000),
  discountPrice: amount,
});
/** Observed `gap` days after the previous one; `offset` is that of its own time, in days. */
const step = fc.record({
  gap: fc.constantFrom(1, 3, 20, 31, 70, 200),
  offset: fc.option(fc.constantFrom(-400, -50, -20, -3, -1, 0, 2), { nil: undefined }),
  price: fc.option(price, { nil: undefined, freq: 8 }),
});
const histories = fc.array(step, { minLength: 1, maxLength: 14 }).map((steps) => {
  let observed = 0;
  return steps.map(({ gap, offset, price: paid }): PriceState => {
    observed += gap;
    return {
      observedAtMs: day(observed),
      ...(offset !== undefined && { updatedAtMs: day(observed + offset) }),
      ...(paid && {
        price: { ...paid, discountPrice: Math.min(paid.discountPrice, paid.originalPrice) },
      }),
    };
  });
});
const questions = fc.record({
  later: fc.constantFrom(-1, 0, 1, 25, 30, 31, 60, 90, 364, 365, 366, 900),
  released: fc.option(fc.integer({ min: -10, max: 600 }), { nil: undefined }),
});

it("agrees with a model over all states, at any time, and reports when the result changes", () => {
  fc.assert(
    fc.property(histories, questions, (states, { later, released }) => {
      const past = pastOf(states);
      const question: LowsQuestion = {
        atMs: (states.at(-1)?.observedAtMs ?? 0) + day(later),
        releasedAtMs: released === undefined ? undefined : day(released),
      };
      const { changesAtMs, ...result } = lowsOf(past, question);
      expect(result).toEqual(modelLows(states, question));
      const lastMs = (changesAtMs ?? question.atMs + day(2000)) - 1;
      expect(lastMs).toBeGreaterThanOrEqual(question.atMs);
      expect(modelLows(states, { ...question, atMs: lastMs })).toEqual(result);
    }),
    { numRuns: 3000 },
  );
});

it("is the lowest of a window when no lower price ended in it, as in the model", () => {
  fc.assert(
    fc.property(histories, questions, (states, { later, released }) => {
      const floor = states.reduce<PriceFloor | undefined>(floorAfter, undefined);
      const lastMs = states.at(-1)?.observedAtMs ?? 0;
      const question: LowsQuestion = {
        atMs: lastMs + day(Math.max(later, 0)),
        releasedAtMs: released === undefined ? undefined : day(released),
      };
      const sinceMs = floor && lowestSince(floor, question.releasedAtMs);
      const isReleased = (question.releasedAtMs ?? 0) <= question.atMs;
      const { ever, days365, days90, days30 } = modelLows(states, question);
      const windows = [
        [ever, Infinity],
        [days365, 365],
        [days90, 90],
        [days30, 30],
      ] as const;
      for (const [low, days] of windows) {
        const fromMs = Math.max(question.atMs - day(days), neverLowerMs);
        const isLowest = isReleased && sinceMs !== undefined && sinceMs <= fromMs;
        expect(isLowest).toBe(low !== null && low.discountPrice === countedNow(states));
      }
    }),
    { numRuns: 3000 },
  );
});

/** The current price, unless it is a giveaway. */
function countedNow(states: readonly PriceState[]): number | undefined {
  const last = states.at(-1)?.price;
  const isGiven = last?.discountPrice === 0 && last.originalPrice > 0;
  return isGiven ? undefined : last?.discountPrice;
}

it("continues from its stored message", () => {
  fc.assert(
    fc.property(histories, (states) => {
      const stored = states.reduce<PricePast | undefined>(
        (past, state) => pastOfMessage(asStored(pastMessage(pastAfter(past, state)))),
        undefined,
      );
      expect(stored).toEqual(pastOf(states));
    }),
    { numRuns: 300 },
  );
});

const asStored = (message: PastMessage) =>
  fromBinary(PricePastSchema, toBinary(PricePastSchema, message));
