import type { LogPosition } from "@storefront/change-feed";
import { readChangeId } from "../domain/price-change-id.ts";
import { priceChangeNotFound } from "./not-found-errors.ts";

/**
 * The place of the log that a reader has got to.
 *
 * @throws ServiceError PRICE_CHANGE_NOT_FOUND when the id names none.
 */
export function placeAfterChange(changeId: string): LogPosition {
  const place = readChangeId(changeId);
  if (place === undefined) throw priceChangeNotFound(changeId);
  return place;
}
