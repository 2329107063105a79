import type { LogPosition } from "@storefront/change-feed";
import type { EntryLog } from "../store/entry-log.ts";
import { entryNotFound } from "./entry-not-found.ts";
import { entryUndone } from "./entry-undone.ts";

/**
 * The place of an entry that a reader has got, with everything before it.
 *
 * @throws ServiceError ENTRY_NOT_FOUND when it is unknown, ENTRY_UNDONE when it, or something before it, was
 * taken back since.
 */
export async function placeAfter(log: EntryLog, entryId: string): Promise<LogPosition> {
  const position = await log.positionOf(entryId);
  if (position === undefined) {
    throw (await log.isUndone(entryId)) ? entryUndone(entryId) : entryNotFound(entryId);
  }
  if (await log.isUndoneAfter(position.sequence)) throw entryUndone(entryId);
  return position;
}
