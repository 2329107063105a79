import { describe, expect, it } from "vitest";
import { chartStepsOf, markOf, stepAt } from "./chart-steps.ts";

const dayMs = 86_400_000;
const nowMs = 100 * dayMs;

const point = (day: number | null, discountPrice: number, originalPrice = 2000) => ({
  offerId: "o1",
  region: "EURO",
  price: {
    currencyCode: "EUR",
    currencyDecimals: 2,
    originalPrice,
    discountPrice,
    discount: originalPrice - discountPrice,
    percentOff: Math.round((1 - discountPrice / originalPrice) * 100),
  },
  updatedAt: day === null ? null : new Date(day * dayMs).toISOString(),
  appliedRules: [],
});

describe("the steps of a price history", () => {
  it("begin with the oldest price and continue until now", () => {
    const chart = chartStepsOf([point(50, 900), point(10, 2000)], nowMs);
    expect(chart?.steps.map(({ fromMs, now }) => [fromMs / dayMs, now])).toEqual([
      [10, 2000],
      [50, 900],
    ]);
    expect(chart?.endMs).toBe(nowMs);
    expect(chart?.currency.currencyCode).toBe("EUR");
  });

  it("have a visible last step even when it begins now or later", () => {
    expect(chartStepsOf([point(120, 900)], nowMs)?.endMs).toBe(121 * dayMs);
  });

  it("exclude prices in another currency", () => {
    const dollars = point(10, 2000);
    const inDollars = { ...dollars, price: { ...dollars.price, currencyCode: "USD" } };
    const chart = chartStepsOf([point(50, 900), inDollars], nowMs);
    expect(chart?.steps.map(({ now }) => now)).toEqual([900]);
    expect(chart?.currency.currencyCode).toBe("EUR");
  });

  it.each([
    [30, 40, 30],
    [30, null, 30],
    // It began before the first price in the chart, or begins later.
    [5, 40, 10],
    [120, null, 100],
    [1, 9, undefined],
  ])("mark a low from day %s to day %s on day %s", (first, last, marked) => {
    const chart = chartStepsOf([point(50, 900), point(10, 2000)], nowMs);
    const at = (day: number) => new Date(day * dayMs).toISOString();
    const low = { discountPrice: 900, firstAt: at(first), lastAt: last === null ? null : at(last) };
    expect(chart && markOf(chart, low)).toBe(marked && marked * dayMs);
  });

  it("are undefined without a price that has a time", () => {
    expect(chartStepsOf([], nowMs)).toBeUndefined();
    expect(chartStepsOf([point(null, 900)], nowMs)).toBeUndefined();
  });

  it("apply from their time on, the first one also before", () => {
    const chart = chartStepsOf([point(50, 900), point(10, 2000)], nowMs);
    if (chart === undefined) throw new Error("no chart");
    expect(stepAt(chart, 0).now).toBe(2000);
    expect(stepAt(chart, 50 * dayMs - 1).now).toBe(2000);
    expect(stepAt(chart, 50 * dayMs).now).toBe(900);
    expect(stepAt(chart, nowMs).now).toBe(900);
  });
});
