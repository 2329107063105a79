import { beginningOfLog, reconcileWithSnapshot } from "@storefront/change-feed";
import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Transaction } from "@storefront/database";
import { entryOfFeed, storeMissingEntries } from "../apply-catalog-feed.ts";
import { observedTypes, refText } from "../domain/subject-state.ts";
import { lockEntries, storeEntries } from "../store/entry-writer.ts";
import type { NewEntry } from "../store/entry-writer.ts";
import { observedKeys } from "../store/observed-keys.ts";
import { findLoggedNamespaces, newestSnapshotPlace } from "../store/own-entry-store.ts";
import {
  createMissingScopes,
  recountAll,
  recountScopes,
  scopePages,
} from "../store/recount-lists.ts";
import { loadSubjects } from "../store/subject-store.ts";
import { readLog } from "./read-log.ts";
import { resynchroniseChangelog } from "./resynchronise-changelog.ts";

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
    kinds: observedTypes,
    reconcile: placeRecords,
    storedKeys: observedKeys,
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

/** Puts records where they are, and those that are gone where their entries say that they were last. */
async function placeRecords(tx: Transaction, records: readonly FeedEntry[]): Promise<void> {
  await lockEntries(tx);
  const refOf = ({ kind, key }: FeedEntry) => ({ type: kind, key: key.join("\n") });
  const gone = records.filter(({ record }) => record === undefined);
  const subjects = await loadSubjects(tx, gone.map(refOf));
  const logged = await findLoggedNamespaces(
    tx,
    [...subjects.values()].map(({ id }) => id),
  );
  const namespaceOf = (write: FeedEntry) => {
    const subject = subjects.get(refText(refOf(write)));
    return write.namespace || ((subject && logged.get(subject.id)) ?? "");
  };
  const sightings = records.map((record): NewEntry => {
    const write = { ...record, namespace: namespaceOf(record), changes: [] };
    // What is of no write is no move that could be undone.
    return { ...entryOfFeed(write), write: undefined };
  });
  await storeEntries(tx, sightings);
}

/**
 * Stores what is missing of the entries of writes, as far back as the catalog's log reaches: at the end of the
 * changelog, so that its followers hear of them. Of writes before the newest snapshot that was told of it tells already.
 *
 * @param through the last write that is looked at
 */
async function restoreEntries(
  database: Database,
  at: Resynchronisation,
  through: LogPosition,
): Promise<void> {
  const { oldestSequence } = await at.client.describeLog({}, { signal: at.signal });
  if (oldestSequence === 0n) return;
  const beginning = { ...beginningOfLog, sequence: oldestSequence - 1n };
  const newest = await newestSnapshotPlace(database);
  const after = newest !== undefined && newest.sequence > beginning.sequence ? newest : beginning;
  for await (const writes of readLog(at, after, through.sequence)) {
    await at.transaction((tx) => restore(tx, at.feed, writes));
  }
}

async function restore(tx: Transaction, feed: string, writes: readonly FeedEntry[]): Promise<void> {
  const rows = await tx.read<{ sequence: bigint }>(
    "select sequence from changelog.quarantined_entry where feed = $1 and sequence = any($2::int8[])",
    [feed, writes.map(({ sequence }) => sequence)],
  );
  const quarantined = new Set(rows.map(({ sequence }) => sequence));
  await storeMissingEntries(
    tx,
    writes.filter(({ sequence }) => !quarantined.has(sequence)),
  );
}
