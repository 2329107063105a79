import { reconcileWithSnapshot } from "@storefront/change-feed";
import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { Database } from "@storefront/database";
import { observedTypes } from "../domain/subject-state.ts";
import { observedRecords } from "../store/observed-records.ts";
import { findCommonPlace } from "./find-common-place.ts";
import { judgeEntry } from "./judge-entry.ts";
import { reconcileRecords } from "./reconcile-records.ts";
import { takeBackDuplicates } from "./take-back-duplicates.ts";
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
  return common.followFrom ?? (await reconcileChangelog(database, at));
}

/**
 * Makes the changelog agree with all records of the catalog, where the log does not tell what has become of them.
 *
 * @returns the place from which to follow the log.
 */
export async function reconcileChangelog(
  database: Database,
  at: Resynchronisation,
): Promise<LogPosition> {
  const position = await reconcileWithSnapshot(at, {
    schema: "changelog",
    kinds: observedTypes,
    reconcile: reconcileRecords,
    held: () => observedRecords(database),
  });
  await takeBackDuplicates(at, position);
  return position;
}
