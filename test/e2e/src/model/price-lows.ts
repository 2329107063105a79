import { modelLows } from "@storefront/domain/price-lows/model";
import type { PriceLow, PriceState } from "@storefront/domain/price-lows";
import { timeOf } from "./order.ts";

/** The lows of a price as responses show them, computed from all of its states. */
export function shownLows(
  states: readonly PriceState[],
  { atMs, releaseDate }: { atMs: number; releaseDate: string | null | undefined },
): Record<string, unknown> {
  const lows = modelLows(states, { atMs, releasedAtMs: timeOf(releaseDate) });
  const { reduction } = lows;
  return {
    since: instantOf(lows.sinceMs),
    ever: shownLow(lows.ever),
    days365: shownLow(lows.days365),
    days90: shownLow(lows.days90),
    days30: shownLow(lows.days30),
    reduction: reduction && {
      since: instantOf(reduction.sinceMs),
      priceBefore: reduction.priceBefore,
      lowest30DaysBefore: reduction.lowest30DaysBefore,
    },
    exclusions: lows.excluded,
  };
}

function shownLow(low: PriceLow | null) {
  if (low === null) return null;
  const { discountPrice, firstAtMs, lastAtMs } = low;
  return { discountPrice, firstAt: instantOf(firstAtMs), lastAt: instantOf(lastAtMs) };
}

function instantOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
