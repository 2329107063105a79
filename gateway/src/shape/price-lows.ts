import type { PriceLow, PriceLows, PriceReduction } from "@storefront/price-lows";
import type { PriceLows as ShownLows } from "../schemas/price-lows.ts";
import { instantOfMs } from "./instant.ts";
import type { Shows } from "./shows.ts";

type ShownLow = NonNullable<ShownLows["ever"]>;
type ShownReduction = NonNullable<ShownLows["reduction"]>;

/** The lows of a price as REST shows them; when they change is for caches. */
export function priceLowsOf(
  lows: PriceLows,
): Shows<ShownLows, PriceLows, "sinceMs" | "excluded" | "changesAtMs"> {
  return {
    since: lows.sinceMs === null ? null : instantOfMs(lows.sinceMs),
    ever: lows.ever && lowOf(lows.ever),
    days365: lows.days365 && lowOf(lows.days365),
    days90: lows.days90 && lowOf(lows.days90),
    days30: lows.days30 && lowOf(lows.days30),
    reduction: lows.reduction && reductionOf(lows.reduction),
    exclusions: [...lows.excluded],
  };
}

function lowOf({
  discountPrice,
  firstAtMs,
  lastAtMs,
}: PriceLow): Shows<ShownLow, PriceLow, "firstAtMs" | "lastAtMs"> {
  return {
    discountPrice,
    firstAt: instantOfMs(firstAtMs),
    lastAt: lastAtMs === null ? null : instantOfMs(lastAtMs),
  };
}

function reductionOf({
  sinceMs,
  priceBefore,
  lowest30DaysBefore,
}: PriceReduction): Shows<ShownReduction, PriceReduction, "sinceMs"> {
  return { since: instantOfMs(sinceMs), priceBefore, lowest30DaysBefore };
}
