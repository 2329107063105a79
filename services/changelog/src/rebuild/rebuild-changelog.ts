import { reconcileWithSnapshot } from "@storefront/change-feed";
import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { Database } from "@storefront/database";
import { observedTypes } from "../domain/subject-state.ts";
import { resynchroniseChangelog } from "../resynchronise/resynchronise-changelog.ts";
import { lockEntries } from "../store/entry-writer.ts";
import { observedRecords } from "../store/observed-records.ts";
import {
  createMissingScopes,
  recountAll,
  recountScopes,
  scopePages,
} from "../store/recount-lists.ts";
import { placeRecords } from "./place-records.ts";
import { restoreEntries } from "./restore-entries.ts";

/**
 * Makes the changelog what one is that has read the catalog's log from as far back as it reaches: its entries, where
 * their records are, and every list and count. Entries that are there stay as they are. Each step brings it nearer to
 * that, so that it may be broken off.
 *
 * @returns the place from which to follow the log.
 */
export async function rebuildChangelog(
  database: Database,
  at: Resynchronisation,
): Promise<LogPosition> {
  // First, because what follows takes entries out of the lists where they should be, and puts them into others.
  await recountLists(database, at);
  const position = await resynchroniseChangelog(database, at);
  await restoreEntries(database, at, position);
  await reconcileWithSnapshot(at, {
    schema: "changelog",
    kinds: observedTypes,
    reconcile: placeRecords,
    held: () => observedRecords(database),
  });
  return position;
}

async function recountLists(database: Database, at: Resynchronisation): Promise<void> {
  await at.transaction(async (tx) => {
    await lockEntries(tx);
    await createMissingScopes(tx);
  });
  for await (const scopes of scopePages(database)) {
    at.signal.throwIfAborted();
    await at.transaction(async (tx) => {
      await lockEntries(tx);
      await recountScopes(tx, scopes);
    });
  }
  await at.transaction(async (tx) => {
    await lockEntries(tx);
    await recountAll(tx);
  });
}
