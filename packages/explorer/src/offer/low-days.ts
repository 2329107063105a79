import type { Locale } from "@storefront/domain/identifiers";
import type { PriceLow } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";

/**
 * When a low held, in parts such as "first Mar 2, 2026" and "last Apr 2, 2026": between them the price may
 * have been higher. The last one of what still holds is "and now".
 */
export function lowDaysOf({ firstAt, lastAt }: PriceLow, locale: Locale): string[] {
  const [first, last] = [formatDay(firstAt, locale), formatDay(lastAt, locale)];
  const begin = first === undefined ? [] : [`first ${first}`];
  if (last === undefined) return [...begin, "and now"];
  return first === last ? [last] : [...begin, `last ${last}`];
}
