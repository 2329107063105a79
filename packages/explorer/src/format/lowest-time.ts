import type { RegionalPrice, PriceLow } from "../api/types.ts";
import type { Locale } from "@storefront/domain/identifiers";
import { formatDay } from "./dates.ts";

/** Periods in which a price can be the lowest, the shortest first, with their names. */
export const lowestTimes = [
  { time: "days30", name: "Lowest in 30 days" },
  { time: "days90", name: "Lowest in 90 days" },
  { time: "days365", name: "Lowest in 365 days" },
  { time: "ever", name: "Lowest price so far" },
] as const;

/** One of them, with its name. */
export type LowestTime = (typeof lowestTimes)[number];

/**
 * The longest period in which a reduced price is the lowest on record; undefined without one, and for a price that was
 * never higher.
 */
export function lowestTimeOf({
  price,
  lows,
}: Pick<RegionalPrice, "price" | "lows">): LowestTime | undefined {
  if (price === undefined || lows === undefined || lows.reduction === null) return undefined;
  return lowestTimes.findLast(({ time }) => lows[time]?.discountPrice === price.discountPrice);
}

/**
 * The time of a low, in parts such as "first Mar 2, 2026" and "last Apr 2, 2026": between them the price may
 * have been higher. The last part of a current low is "and now".
 */
export function lowDaysOf({ firstAt, lastAt }: PriceLow, locale: Locale): string[] {
  const [first, last] = [formatDay(firstAt, locale), formatDay(lastAt, locale)];
  const begin = first === undefined ? [] : [`first ${first}`];
  if (last === undefined) return [...begin, "and now"];
  return first === last ? [last] : [...begin, `last ${last}`];
}
