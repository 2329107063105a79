import { beginningOfLog } from "@storefront/change-feed";
import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Transaction } from "@storefront/database";
import { storeMissingEntries } from "../apply-catalog-feed.ts";
import { readLog } from "../resynchronise/read-log.ts";
import { newestSnapshotPlace } from "../store/own-entry-store.ts";

/**
 * Stores what is missing of the entries of writes, as far back as the catalog's log reaches: at the end of the
 * changelog, so that its followers hear of them. Of writes before the newest snapshot that was told of it tells already.
 *
 * @param through the last write that is looked at
 */
export async function restoreEntries(
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
