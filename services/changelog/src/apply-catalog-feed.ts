import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { entryIdOf } from "./domain/entry-id.ts";
import { entryOfFeed } from "./rpc/entry-of-feed.ts";
import { lockEntries, storedIds, storeEntries } from "./store/entry-writer.ts";
import type { NewEntry } from "./store/new-entry.ts";

/**
 * Stores the canonical entries of the catalog's writes, one for each that has changes, and where
 * their records are now. What is stored already, as after a feed is read anew, is left as it is.
 */
export async function applyCatalogFeed(
  tx: Transaction,
  writes: readonly FeedEntry[],
): Promise<void> {
  await storeWrites(
    tx,
    writes,
    writes.map((write) => entryOfFeed(write)),
  );
}

/** Stores the entry of a write that comes after a later one of its record: that record stays where it is. */
export async function applySupersededWrite(tx: Transaction, write: FeedEntry): Promise<void> {
  const entry = entryOfFeed(write);
  await storeWrites(tx, [write], [{ ...entry, observe: (now) => now ?? entry.observe(now) }]);
}

async function storeWrites(
  tx: Transaction,
  writes: readonly FeedEntry[],
  entries: readonly NewEntry[],
): Promise<void> {
  await lockEntries(tx);
  const stored = await storedIds(tx, {
    ids: entries.map(({ id }) => id),
    olderIds: writes.map(olderIdOf),
  });
  await storeEntries(
    tx,
    entries.map((entry, index) => {
      const write = writes[index];
      const isStored = stored.has(entry.id) || (write && stored.has(olderIdOf(write)));
      return isStored === true ? { ...entry, bytes: undefined } : entry;
    }),
  );
}

/** Release 0.2.0 gave entries ids without the identity of the write. */
function olderIdOf({ sequence }: FeedEntry): string {
  return entryIdOf({ sequence, identity: "" });
}
