import type { PricePoint } from "../api/types.ts";

/** A price from one moment to the next. */
export interface Step {
  fromMs: number;
  /** Minor units. */
  now: number;
  full: number;
}

/** The steps of a chart. */
export interface ChartSteps {
  currency: string;
  /** Oldest first; at least one. */
  steps: readonly [Step, ...Step[]];
  /** Where the last step ends. */
  endMs: number;
  /** The step with the lowest price, the latest of several. */
  lowest: Step;
}

const dayMs = 86_400_000;

/**
 * Prices as steps up to now, or to the last one where that is yet to come.
 *
 * @param points newest first
 * @returns undefined when there is none
 */
export function chartStepsOf(points: readonly PricePoint[], nowMs: number): ChartSteps | undefined {
  const steps = points
    .flatMap(({ updatedAt, price }): Step[] =>
      updatedAt === null
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
    currency: points[0]?.price.currencyCode ?? "USD",
    steps: [first, ...others],
    endMs: Math.max(nowMs, last.fromMs + dayMs),
    lowest: others.reduce((least, step) => (step.now <= least.now ? step : least), first),
  };
}

/** The step that a moment lies in; the first one for any before it. */
export function stepAt({ steps }: Pick<ChartSteps, "steps">, atMs: number): Step {
  return steps.findLast(({ fromMs }) => fromMs <= atMs) ?? steps[0];
}
