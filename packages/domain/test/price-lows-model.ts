import type { LowsQuestion, PriceLow, PriceLows, PriceState } from "../src/price-lows/index.ts";

interface Interval {
  readonly state: PriceState;
  readonly startMs: number;
  readonly endMs: number;
}

/** A price that counts: consecutive states of the same amount. */
interface Run {
  readonly amount: number;
  readonly startMs: number;
  endMs: number;
  /** Index of its last state. */
  index: number;
}

const dayMs = 86_400_000;

/** The lows by a scan of all states; current ones end at infinity. */
export function modelLows(
  states: readonly PriceState[],
  { atMs, releasedAtMs = Number.NEGATIVE_INFINITY }: LowsQuestion,
): Omit<PriceLows, "changesAtMs"> {
  const intervals = intervalsOf(states);
  const nowMs = Math.max(atMs, intervals.at(-1)?.startMs ?? atMs);
  const era = eraOf(states);
  const runs = runsOf(intervals, era);
  const isReleased = releasedAtMs <= nowMs;
  const within = (days: number): PriceLow | null => {
    const fromMs = Math.max(nowMs - days * dayMs, releasedAtMs);
    const seen = isReleased ? runs.filter(({ endMs }) => endMs > fromMs) : [];
    if (seen.length === 0) return null;
    const discountPrice = Math.min(...seen.map(({ amount }) => amount));
    const lows = seen.filter(({ amount }) => amount === discountPrice);
    const lastMs = Math.max(...lows.map(({ endMs }) => endMs));
    return {
      discountPrice,
      firstAtMs: Math.max(releasedAtMs, Math.min(...lows.map(({ startMs }) => startMs))),
      lastAtMs: lastMs === Number.POSITIVE_INFINITY ? null : lastMs,
    };
  };
  const ever = within(Number.POSITIVE_INFINITY);
  const firstMs = runs[0]?.startMs;
  return {
    sinceMs: ever === null || firstMs === undefined ? null : Math.max(firstMs, releasedAtMs),
    ever,
    days365: within(365),
    days90: within(90),
    days30: within(30),
    reduction: reductionOf(intervals, era, releasedAtMs),
    excluded: [
      ...(states.some(isGift) ? (["giveaway"] as const) : []),
      ...(firstMs !== undefined && firstMs < releasedAtMs ? (["beforeRelease"] as const) : []),
      ...(states.slice(0, era).some(({ price }) => price) ? (["otherCurrency"] as const) : []),
    ],
  };
}

function isGift({ price }: PriceState): boolean {
  return price !== undefined && price.originalPrice > 0 && price.discountPrice === 0;
}

function intervalsOf(states: readonly PriceState[]): Interval[] {
  const starts: number[] = [];
  for (const { observedAtMs, updatedAtMs = observedAtMs } of states) {
    const saidMs = updatedAtMs > observedAtMs ? observedAtMs : updatedAtMs;
    starts.push(Math.max(saidMs, ...starts));
  }
  return states.map((state, index) => ({
    state,
    startMs: starts[index] ?? 0,
    endMs: starts[index + 1] ?? Number.POSITIVE_INFINITY,
  }));
}

/** Index of the first state from which prices are in one currency. */
function eraOf(states: readonly PriceState[]): number {
  const last = states.findLast(({ price }) => price)?.price?.currencyCode;
  return states.findLastIndex(({ price }) => price && price.currencyCode !== last) + 1;
}

function runsOf(intervals: readonly Interval[], era: number): Run[] {
  const runs: Run[] = [];
  for (const [index, { state, startMs, endMs }] of intervals.entries()) {
    if (index < era || state.price === undefined || isGift(state)) continue;
    const amount = state.price.discountPrice;
    const last = runs.at(-1);
    if (last?.index === index - 1 && last.amount === amount) Object.assign(last, { endMs, index });
    else runs.push({ amount, startMs, endMs, index });
  }
  return runs;
}

function reductionOf(
  intervals: readonly Interval[],
  era: number,
  releasedAtMs: number,
): PriceLows["reduction"] {
  let first: Interval | undefined;
  let above = 0;
  for (let index = intervals.length - 1; index >= era; index -= 1) {
    const interval = intervals[index];
    const price = interval?.state.price;
    if (interval === undefined || price === undefined) break;
    if (isGift(interval.state)) {
      if (first === undefined) break;
      continue;
    }
    if (price.discountPrice >= price.originalPrice || price.discountPrice < above) break;
    above = price.discountPrice;
    first = interval;
  }
  if (first === undefined) return null;
  const sinceMs = first.startMs;
  const firstIndex = intervals.indexOf(first);
  const before = runsOf(intervals.slice(0, firstIndex), era).map((run) => ({
    ...run,
    endMs: intervals[run.index]?.endMs ?? Number.POSITIVE_INFINITY,
  }));
  const fromMs = Math.max(sinceMs - 30 * dayMs, releasedAtMs);
  const lowest = Math.min(
    ...before.filter(({ endMs }) => endMs > fromMs).map(({ amount }) => amount),
  );
  const last = before.findLast(({ endMs }) => endMs > releasedAtMs);
  return {
    sinceMs,
    priceBefore: last !== undefined && last === before.at(-1) ? last.amount : null,
    lowest30DaysBefore: lowest === Number.POSITIVE_INFINITY ? null : lowest,
  };
}
