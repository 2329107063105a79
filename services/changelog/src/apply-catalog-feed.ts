import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { entryOfFeed } from "./rpc/entry-of-feed.ts";
import { lockEntries, storedEntries, storeEntries } from "./store/entry-writer.ts";

/**
 * Stores the canonical entries of the catalog's writes, one for each that has changes, and where
 * their records are now. What is stored already, as after a feed is read anew, is left as it is.
 */
export async function applyCatalogFeed(
  tx: Transaction,
  writes: readonly FeedEntry[],
): Promise<void> {
  const entries = writes.map(entryOfFeed);
  await lockEntries(tx);
  const stored = await storedEntries(
    tx,
    entries.map(({ id }) => id),
  );
  await storeEntries(
    tx,
    entries.map((entry) => (stored.has(entry.id) ? { ...entry, bytes: undefined } : entry)),
  );
}
