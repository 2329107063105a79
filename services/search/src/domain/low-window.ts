import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import { neverLowerMs } from "@storefront/price-lows";

const dayMs = 86_400_000;

const daysOf: Readonly<Partial<Record<LowWindow, number>>> = {
  [LowWindow.EVER]: Number.POSITIVE_INFINITY,
  [LowWindow.DAYS_365]: 365,
  [LowWindow.DAYS_90]: 90,
  [LowWindow.DAYS_30]: 30,
};

/**
 * The latest moment since which a price may be the lowest, if it is to be the lowest of a window that ends
 * now; undefined for no window.
 */
export function latestLowestSinceMs(
  window: LowWindow | undefined,
  nowMs: number,
): number | undefined {
  const days = window === undefined ? undefined : daysOf[window];
  return days === undefined ? undefined : Math.max(nowMs - days * dayMs, neverLowerMs);
}
