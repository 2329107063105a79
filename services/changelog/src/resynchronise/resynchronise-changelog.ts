import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { Database } from "@storefront/database";
import { findCommonPlace } from "./find-common-place.ts";
import { judgeEntry } from "./judge-entry.ts";
import { undoEntriesAfter } from "./undo-entries.ts";

/**
 * Makes the changelog agree with the catalog's log: takes back the entries of writes that the catalog has lost,
 * and gives the place from which the log tells the rest.
 */
export async function resynchroniseChangelog(
  database: Database,
  at: Resynchronisation,
): Promise<LogPosition> {
  const common = await findCommonPlace(database, (entry) => judgeEntry(at, entry));
  const undone = await undoEntriesAfter(at, common.sequence);
  at.logger.warn(
    { feed: at.feed, undone, lastSequence: String(common.sequence) },
    "entries of writes that the catalog has lost are undone",
  );
  if (common.followFrom === undefined) throw new Error("the log does not keep what comes next");
  return common.followFrom;
}
