import type { PriceState } from "@storefront/domain/price-lows";
import { timeOf } from "./order.ts";
import type { OfferRecord, PriceRecord } from "./records.ts";

/** Whether an offer is not known to be still to come. */
export function isOut({ releaseDate }: OfferRecord, nowMs: number): boolean {
  return (timeOf(releaseDate) ?? Number.NEGATIVE_INFINITY) <= nowMs;
}

/** Whether what costs something is free for now. */
export function isGivenAway({ originalPrice, discountPrice }: PriceRecord["price"]): boolean {
  return discountPrice === 0 && originalPrice > 0;
}

/**
 * Since when the last of some states is the lowest price: when the last lower one ended, which is never if there was none.
 * Undefined if there is no price now, or a giveaway.
 *
 * @param releasedAtMs what ended before that does not count
 */
export function lowestSince(
  states: readonly PriceState[],
  releasedAtMs = Number.NEGATIVE_INFINITY,
): number | undefined {
  const present = states.at(-1)?.price;
  if (present === undefined || isGivenAway(present)) return undefined;
  // A price holds since it was set, as far as that is told and may be true, and not before the one that went before it.
  const starts: number[] = [];
  for (const { observedAtMs, updatedAtMs = observedAtMs } of states) {
    starts.push(Math.max(Math.min(updatedAtMs, observedAtMs), starts.at(-1) ?? -Infinity));
  }
  const sameCurrency = states.findLastIndex(
    ({ price }) => price !== undefined && price.currencyCode !== present.currencyCode,
  );
  const ends = states.flatMap(({ price }, index) => {
    const end = starts[index + 1];
    if (end === undefined || index <= sameCurrency || price === undefined) return [];
    const isLower = price.discountPrice < present.discountPrice && !isGivenAway(price);
    return isLower && end > releasedAtMs ? [end] : [];
  });
  return Math.max(Number.NEGATIVE_INFINITY, ...ends);
}
