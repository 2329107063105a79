import type { PriceLow, PricePoint } from "../api/types.ts";
import type { Currency } from "../format/money.ts";

/** A price from one moment to the next. */
export interface Step {
  fromMs: number;
  /** Minor units. */
  now: number;
  full: number;
}

/** The steps of a chart. */
export interface ChartSteps {
  currency: Currency;
  /** Oldest first; at least one. */
  steps: readonly [Step, ...Step[]];
  /** Where the last step ends. */
  endMs: number;
}

const dayMs = 86_400_000;

/**
 * Prices as steps up to now, or to the last one if it begins later. Prices in another currency than the newest
 * are not comparable, and are excluded.
 *
 * @param points newest first
 * @returns undefined when there is none
 */
export function chartStepsOf(points: readonly PricePoint[], nowMs: number): ChartSteps | undefined {
  const currency = points[0]?.price;
  if (currency === undefined) return undefined;
  const steps = points
    .flatMap(({ updatedAt, price }): Step[] =>
      updatedAt === null || price.currencyCode !== currency.currencyCode
        ? []
        : [
            {
              fromMs: new Date(updatedAt).getTime(),
              now: price.discountPrice,
              full: price.originalPrice,
            },
          ],
    )
    .toReversed();
  const [first, ...others] = steps;
  if (first === undefined) return undefined;
  const last = others.at(-1) ?? first;
  return {
    currency,
    steps: [first, ...others],
    endMs: Math.max(nowMs, last.fromMs + dayMs),
  };
}

/**
 * The first time of a low in a chart.
 *
 * @returns undefined when the low ended before the chart begins
 */
export function markOf({ steps, endMs }: ChartSteps, low: PriceLow): number | undefined {
  const { firstAt, lastAt } = low;
  if (firstAt === null) return undefined;
  const fromMs = steps[0].fromMs;
  if (lastAt !== null && new Date(lastAt).getTime() < fromMs) return undefined;
  return Math.min(endMs, Math.max(fromMs, new Date(firstAt).getTime()));
}

/** The step at a time; the first one for any earlier time. */
export function stepAt({ steps }: Pick<ChartSteps, "steps">, atMs: number): Step {
  return steps.findLast(({ fromMs }) => fromMs <= atMs) ?? steps[0];
}
