import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { entryIdOf } from "./domain/entry-id.ts";
import { entryOfFeed } from "./rpc/entry-of-feed.ts";
import { lockEntries, storedIds, storeEntries } from "./store/entry-writer.ts";

/**
 * Stores the canonical entries of the catalog's writes, one for each that has changes, and where
 * their records are now. What is stored already, as after a feed is read anew, is left as it is.
 */
export async function applyCatalogFeed(
  tx: Transaction,
  writes: readonly FeedEntry[],
): Promise<void> {
  await lockEntries(tx);
  const stored = await storedOf(tx, writes);
  await storeEntries(
    tx,
    writes.map((write) => {
      const entry = entryOfFeed(write);
      return stored.has(write.sequence) ? { ...entry, bytes: undefined } : entry;
    }),
  );
}

/** Stores the entry of a write that comes after a later one of its record: that record stays where it is. */
export async function applySupersededWrite(tx: Transaction, write: FeedEntry): Promise<void> {
  await storeMissingEntries(tx, [write]);
}

/** Stores those of the entries of writes that are not there; records that are known stay where they are. */
export async function storeMissingEntries(
  tx: Transaction,
  writes: readonly FeedEntry[],
): Promise<void> {
  await lockEntries(tx);
  const stored = await storedOf(tx, writes);
  const missing = writes.filter((write) => write.changes.length > 0 && !stored.has(write.sequence));
  await storeEntries(
    tx,
    missing.map((write) => {
      const entry = entryOfFeed(write);
      return { ...entry, observe: (now) => now ?? entry.observe(now) };
    }),
  );
}

/** The sequences of those writes whose entries are stored. */
async function storedOf(tx: Transaction, writes: readonly FeedEntry[]): Promise<Set<bigint>> {
  const stored = await storedIds(tx, {
    ids: writes.map(entryIdOf),
    olderIds: writes.map(olderIdOf),
  });
  const isStored = (write: FeedEntry) =>
    stored.has(entryIdOf(write)) || stored.has(olderIdOf(write));
  return new Set(writes.filter(isStored).map(({ sequence }) => sequence));
}

/** Release 0.2.0 gave entries ids without the identity of the write. */
function olderIdOf({ sequence }: FeedEntry): string {
  return entryIdOf({ sequence, identity: "" });
}
