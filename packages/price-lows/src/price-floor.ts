import { pastAfter } from "./price-past.ts";
import type { PriceState } from "./price-past.ts";

/**
 * What is kept of all states of a price, so that it is known since when the price is the lowest. Times are
 * in milliseconds since 1970.
 */
export interface PriceFloor {
  /** When the last state began, whatever it was. */
  readonly lastStartMs: number;
  /** Of the last price; absent while there was none. */
  readonly currencyCode?: string;
  /**
   * The amounts of `PricePast.steps`, each once, so that they rise, and when the last price of each ended;
   * null while it holds.
   */
  readonly amounts: readonly (readonly [discountPrice: number, endMs: number | null])[];
}

/** Stands for the end of a lower price where there was none: before any time. */
export const neverLowerMs = Number.MIN_SAFE_INTEGER;

/** The floor of a price with one more state, the latest that was seen; see `pastAfter`. */
export function floorAfter(floor: PriceFloor | undefined, state: PriceState): PriceFloor {
  const before = floor && {
    lastStartMs: floor.lastStartMs,
    ...(floor.currencyCode !== undefined && { currencyCode: floor.currencyCode }),
    // When amounts began decides nothing here.
    steps: floor.amounts.map(([amount, endMs]) => [amount, floor.lastStartMs, endMs] as const),
  };
  const { lastStartMs, currencyCode, steps } = pastAfter(before, state);
  const ends = new Map(steps.map(([amount, , endMs]) => [amount, endMs]));
  return { lastStartMs, ...(currencyCode !== undefined && { currencyCode }), amounts: [...ends] };
}

/**
 * Since when a price is the lowest: the end of the last lower one that counts, `neverLowerMs` where none
 * does. So it is the low of a window (`lowsOf`) if that began no earlier. Undefined where there is no price
 * that counts now: none at all, or a giveaway.
 *
 * @param releasedAtMs when the offer is released: prices that ended before that do not count. Default: all do.
 */
export function lowestSince({ amounts }: PriceFloor, releasedAtMs?: number): number | undefined {
  if (amounts.at(-1)?.[1] !== null) return undefined;
  const lowerEndMs = amounts.at(-2)?.[1] ?? neverLowerMs;
  return lowerEndMs <= (releasedAtMs ?? neverLowerMs) ? neverLowerMs : lowerEndMs;
}
