import type { RegionalPrice } from "../api/types.ts";

/** Whether a reduced price is the lowest on record. One that was never higher is that too, which says nothing. */
export function isLowest({ price, lows }: Pick<RegionalPrice, "price" | "lows">): boolean {
  if (price === undefined || !lows?.ever || lows.reduction === null) return false;
  return price.discountPrice === lows.ever.discountPrice;
}
