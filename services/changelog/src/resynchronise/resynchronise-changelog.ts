import { beginSnapshot, reconcileWithSnapshot } from "@storefront/change-feed";
import type { LogPosition, Resynchronisation, SnapshotProgress } from "@storefront/change-feed";
import type { Database } from "@storefront/database";
import { observedTypes } from "../domain/subject-state.ts";
import { observedRecords } from "../store/observed-records.ts";
import { findCommonPlace } from "./find-common-place.ts";
import { hasPosition, judgeEntry } from "./judge-entry.ts";
import { reconcileRecords } from "./reconcile-records.ts";
import { takeBackDuplicates } from "./take-back-duplicates.ts";
import { undoEntriesAfter } from "./undo-entries.ts";

/**
 * Makes the changelog agree with the catalog's log: takes back the entries of writes that the catalog has lost,
 * and gives the place from which the log tells the rest. Goes on with a snapshot that was broken off.
 */
export async function resynchroniseChangelog(
  database: Database,
  at: Resynchronisation,
): Promise<LogPosition> {
  const begun = await at.snapshots.find(database);
  // The log may have lost the position meanwhile; what the snapshot has told is taken back then, too.
  if (begun !== undefined && (await hasPosition(at, begun.position))) {
    return await reconcileChangelog(at, begun);
  }
  const common = await findCommonPlace(database, (entry) => judgeEntry(at, entry));
  const undone = await undoEntriesAfter(at, common.sequence);
  at.logger.warn(
    { feed: at.feed, undone, lastSequence: String(common.sequence) },
    "entries of writes that the catalog has lost are undone",
  );
  if (begun !== undefined) await at.transaction((tx) => at.snapshots.remove(tx));
  return common.followFrom ?? (await reconcileChangelog(at));
}

/**
 * Makes the changelog agree with all records of the catalog, where the log does not tell what has become of them. That
 * comes before the log is followed: an entry is told from one of a write by what was stored before.
 *
 * @param begun how far a snapshot is that was broken off; default none was
 * @returns the place from which to follow the log.
 */
export async function reconcileChangelog(
  at: Resynchronisation,
  begun?: SnapshotProgress,
): Promise<LogPosition> {
  const reconciliation = {
    kinds: observedTypes,
    reconcile: reconcileRecords,
    held: observedRecords,
  };
  const progress = begun ?? (await beginSnapshot(at, reconciliation));
  const position = await reconcileWithSnapshot(at, reconciliation, { progress });
  await takeBackDuplicates(at, position);
  await at.transaction((tx) => at.snapshots.remove(tx));
  return position;
}
