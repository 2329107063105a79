import type { PriceState } from "@storefront/domain/price-lows";
import { timeOf } from "./order.ts";
import type { OfferRecord, PriceRecord } from "./records.ts";

/** Whether an offer is not known to be unreleased. */
export function isOut({ releaseDate }: OfferRecord, nowMs: number): boolean {
  return (timeOf(releaseDate) ?? Number.NEGATIVE_INFINITY) <= nowMs;
}

/** Whether a paid offer is free at present. */
export function isGivenAway({ originalPrice, discountPrice }: PriceRecord["price"]): boolean {
  return discountPrice === 0 && originalPrice > 0;
}

/**
 * The time since which the last state is the lowest price: the end of the last lower one, or -Infinity without one.
 * Undefined if there is no price now, or a giveaway.
 *
 * @param releasedAtMs prices that ended before it do not count
 */
export function lowestSince(
  states: readonly PriceState[],
  releasedAtMs = Number.NEGATIVE_INFINITY,
): number | undefined {
  const present = states.at(-1)?.price;
  if (present === undefined || isGivenAway(present)) return undefined;
  // A price starts at its `updatedAt` if that is plausible, else at its observation, but not before the previous price.
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
