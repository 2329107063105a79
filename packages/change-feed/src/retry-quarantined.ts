import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import type { FollowerParts } from "./follower-parts.ts";
import { isEntryFailure } from "./is-entry-failure.ts";

/** How a retry went. */
export interface RetryOutcome {
  /** Entries that are applied now. */
  readonly applied: number;
  /** Entries that failed again. */
  readonly failed: number;
}

/**
 * Applies the quarantined entries of a feed, oldest first, each by itself. Any process may, in turn with the
 * one that applies the feed; an entry whose record has a later write does not take that one's place.
 *
 * @throws ServiceError FAILED_PRECONDITION, PROJECTION_OUTDATED, when a newer version applies the feed;
 *   what may pass, such as that of a database that is away.
 */
export async function retryQuarantined(parts: FollowerParts): Promise<RetryOutcome> {
  const { options, quarantine } = parts;
  let applied = 0;
  let failed = 0;
  for (const { entry } of await quarantine.list(options.database)) {
    if (await retry(parts, entry)) applied++;
    else failed++;
  }
  if (applied > 0) options.onCommitted?.();
  return { applied, failed };
}

async function retry(parts: FollowerParts, entry: FeedEntry): Promise<boolean> {
  const { options, quarantine } = parts;
  try {
    await options.database.transaction(async (tx) => {
      await beside(parts, tx);
      const found = await quarantine.find(tx, entry);
      if (found === undefined) return;
      if (found.isSuperseded) await options.applySuperseded?.(tx, entry);
      else await options.apply(tx, [entry]);
      await quarantine.remove(tx, entry);
    });
    return true;
  } catch (error) {
    if (!isEntryFailure(error)) throw error;
    await options.database.transaction(async (tx) => {
      await beside(parts, tx);
      if ((await quarantine.find(tx, entry)) !== undefined) await quarantine.add(tx, entry, error);
    });
    return false;
  }
}

/** Nobody applies the feed until the transaction ends. */
async function beside({ lease, cursor }: FollowerParts, tx: Transaction): Promise<void> {
  await lease.exclude(tx);
  await cursor.lock(tx);
}
