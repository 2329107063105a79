import { PriceExclusion } from "@storefront/contracts/pricing/v1/price_lows";
import type {
  PriceLow,
  PriceLows as StoredLows,
} from "@storefront/contracts/pricing/v1/price_lows";
import type { PriceLows } from "../schemas/price-lows.ts";
import { instantOf } from "./instant.ts";
import type { Shows } from "./shows.ts";

/** The lows of a price as REST shows them; their validity is for caches. */
export function priceLowsOf(lows: StoredLows): Shows<PriceLows, StoredLows, "validForMs"> {
  const { reduction } = lows;
  return {
    since: instantOf(lows.since),
    ever: lowOf(lows.ever),
    days365: lowOf(lows.days365),
    days90: lowOf(lows.days90),
    days30: lowOf(lows.days30),
    reduction: reduction
      ? {
          since: instantOf(reduction.since),
          priceBefore: amountOf(reduction.priceBefore),
          lowest30DaysBefore: amountOf(reduction.lowest30DaysBefore),
        }
      : null,
    exclusions: lows.exclusions.flatMap(exclusionOf),
  };
}

function lowOf(low: PriceLow | undefined): PriceLows["ever"] {
  if (low === undefined) return null;
  return {
    discountPrice: Number(low.discountPrice),
    firstAt: instantOf(low.firstAt),
    lastAt: instantOf(low.lastAt),
  };
}

function amountOf(amount: bigint | undefined): number | null {
  return amount === undefined ? null : Number(amount);
}

// One that a newer pricing service has is not known here.
function exclusionOf(exclusion: PriceExclusion): PriceLows["exclusions"] {
  switch (exclusion) {
    case PriceExclusion.GIVEAWAY:
      return ["giveaway"];
    case PriceExclusion.BEFORE_RELEASE:
      return ["beforeRelease"];
    case PriceExclusion.OTHER_CURRENCY:
      return ["otherCurrency"];
    default:
      return [];
  }
}
