import { Code } from "@connectrpc/connect";
import type { LogPosition } from "@storefront/change-feed";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import type { EntryLog } from "../store/entry-log.ts";
import { entryNotFound } from "./not-found-errors.ts";

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

/** This entry, or one before it, was undone with a history that the catalog has lost. */
export function entryUndone(entryId: string): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.ENTRY_UNDONE,
    message: "entries up to this one were undone: begin anew without it",
    metadata: { entryId },
  });
}
