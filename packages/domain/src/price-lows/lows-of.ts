import { isAfter, pastAfter, reductionWindowMs } from "./price-past.ts";
import type { PricePast, PriceState, PriceStep } from "./price-past.ts";

/** Time and bounds of a query for a price's lows. Times are in milliseconds since 1970. */
export interface LowsQuestion {
  readonly atMs: number;
  /** When the offer is released: prices before that do not count. Default: all count. */
  readonly releasedAtMs?: number | undefined;
}

/** The lowest price of a period. */
export interface PriceLow {
  /** Minor units. */
  readonly discountPrice: number;
  /** When the first price of that amount began; that may be before the period. */
  readonly firstAtMs: number;
  /** When the last one ended; null while it is current. */
  readonly lastAtMs: number | null;
}

/** The prices before the current reduction. Amounts are null where no price counts. */
export interface PriceReduction {
  readonly sinceMs: number;
  readonly priceBefore: number | null;
  /** The lowest price of the 30 days before. */
  readonly lowest30DaysBefore: number | null;
}

/** Why a stored price was excluded. */
export type PriceExclusion = "giveaway" | "beforeRelease" | "otherCurrency";

/** The lows of a price; null where no price of that period counts. */
export interface PriceLows {
  /** Start of the first price that counts; null when there is none. */
  readonly sinceMs: number | null;
  readonly ever: PriceLow | null;
  readonly days365: PriceLow | null;
  readonly days90: PriceLow | null;
  readonly days30: PriceLow | null;
  /** Null while the price is not reduced. */
  readonly reduction: PriceReduction | null;
  readonly excluded: readonly PriceExclusion[];
  /** When they change without a new price; null for never. */
  readonly changesAtMs: number | null;
}

const dayMs = 86_400_000;
const windowsMs = [365 * dayMs, 90 * dayMs, 30 * dayMs] as const;

/**
 * The lows of a price, by the rules of docs/api/prices.md. A window of n days has the prices that ended later than
 * n times 24 hours ago; a price with a future start counts as begun.
 */
export function lowsOf(past: PricePast, { atMs, releasedAtMs }: LowsQuestion): PriceLows {
  const nowMs = Math.max(atMs, past.lastStartMs);
  const releasedMs = releasedAtMs ?? Number.NEGATIVE_INFINITY;
  const isReleased = releasedMs <= nowMs;
  const lowWithin = (windowMs: number) =>
    isReleased ? lowSince(past.steps, Math.max(nowMs - windowMs, releasedMs)) : undefined;
  const ever = lowWithin(Number.POSITIVE_INFINITY);
  const [days365, days90, days30] = windowsMs.map(lowWithin);
  const shown = (found: FoundLow | undefined): PriceLow | null =>
    found === undefined
      ? null
      : { ...found.low, firstAtMs: Math.max(found.low.firstAtMs, releasedMs) };
  const leavesMs = [days365, days90, days30].map(
    (found, index) => (found?.firstEndMs ?? Number.POSITIVE_INFINITY) + (windowsMs[index] ?? 0),
  );
  const changesAtMs = isReleased ? Math.min(...leavesMs) : releasedMs;
  const { sinceMs } = past;
  return {
    sinceMs: ever === undefined || sinceMs === undefined ? null : Math.max(sinceMs, releasedMs),
    ever: shown(ever),
    days365: shown(days365),
    days90: shown(days90),
    days30: shown(days30),
    reduction: reductionOf(past, releasedMs),
    excluded: exclusionsOf(past, releasedMs),
    changesAtMs: changesAtMs === Number.POSITIVE_INFINITY ? null : changesAtMs,
  };
}

interface FoundLow {
  readonly low: PriceLow;
  /** When the first price of the amount ended. */
  readonly firstEndMs: number | null;
}

function lowSince(steps: readonly PriceStep[], sinceMs: number): FoundLow | undefined {
  const index = steps.findIndex((step) => isAfter(step, sinceMs));
  const first = steps[index];
  if (first === undefined) return undefined;
  const [discountPrice, firstAtMs, firstEndMs] = first;
  const higher = steps.findIndex(([amount], at) => at > index && amount > discountPrice);
  const last = steps.at(higher === -1 ? -1 : higher - 1) ?? first;
  return { low: { discountPrice, firstAtMs, lastAtMs: last[2] }, firstEndMs };
}

function reductionOf({ steps, reduction }: PricePast, releasedMs: number): PriceReduction | null {
  // Not during a giveaway.
  if (reduction === undefined || steps.at(-1)?.[2] !== null) return null;
  const { sinceMs, stepsBefore } = reduction;
  const before = stepsBefore.at(-1);
  const lowest = lowSince(stepsBefore, Math.max(sinceMs - reductionWindowMs, releasedMs));
  return {
    sinceMs,
    priceBefore: before !== undefined && isAfter(before, releasedMs) ? before[0] : null,
    lowest30DaysBefore: lowest?.low.discountPrice ?? null,
  };
}

function exclusionsOf(
  { hadGiveaway, hadOtherCurrency, sinceMs }: PricePast,
  releasedMs: number,
): PriceExclusion[] {
  return [
    ...(hadGiveaway ? (["giveaway"] as const) : []),
    ...(sinceMs !== undefined && sinceMs < releasedMs ? (["beforeRelease"] as const) : []),
    ...(hadOtherCurrency ? (["otherCurrency"] as const) : []),
  ];
}

/**
 * A summary of all states of a price, from which the start of the period follows in which it is the lowest. Times
 * are in milliseconds since 1970.
 */
export interface PriceFloor {
  /** When the last state began, with or without a price. */
  readonly lastStartMs: number;
  /** Of the last price; absent while there was none. */
  readonly currencyCode?: string;
  /**
   * The amounts of `PricePast.steps`, each once and so rising, and when the last price of each ended; null
   * while it is current.
   */
  readonly amounts: readonly (readonly [discountPrice: number, endMs: number | null])[];
}

/** In place of the end of a lower price when there was none: before any time. */
export const neverLowerMs = Number.MIN_SAFE_INTEGER;

/** The floor of a price after one more, the latest state; see `pastAfter`. */
export function floorAfter(floor: PriceFloor | undefined, state: PriceState): PriceFloor {
  const before = floor && {
    lastStartMs: floor.lastStartMs,
    ...(floor.currencyCode !== undefined && { currencyCode: floor.currencyCode }),
    // The start of an amount is not used here.
    steps: floor.amounts.map(([amount, endMs]) => [amount, floor.lastStartMs, endMs] as const),
  };
  const { lastStartMs, currencyCode, steps } = pastAfter(before, state);
  const ends = new Map(steps.map(([amount, , endMs]) => [amount, endMs]));
  return { lastStartMs, ...(currencyCode !== undefined && { currencyCode }), amounts: [...ends] };
}

/**
 * Start of the period in which a price is the lowest: the end of the last lower one that counts, `neverLowerMs`
 * without one. So it is the low of a window (`lowsOf`) that began no earlier. Undefined when no price counts
 * now: there is none, or it is a giveaway.
 *
 * @param releasedAtMs when the offer is released: prices that ended before that do not count. Default: all count.
 */
export function lowestSince({ amounts }: PriceFloor, releasedAtMs?: number): number | undefined {
  if (amounts.at(-1)?.[1] !== null) return undefined;
  const lowerEndMs = amounts.at(-2)?.[1] ?? neverLowerMs;
  return lowerEndMs <= (releasedAtMs ?? neverLowerMs) ? neverLowerMs : lowerEndMs;
}
