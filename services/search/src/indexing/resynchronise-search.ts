import { reconcileWithSnapshot } from "@storefront/change-feed";
import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Transaction } from "@storefront/database";
import { heldRecords } from "../store/held-records.ts";
import type { FollowedFeed } from "../store/held-records.ts";

/** What search holds of a feed, and how it takes entries of it. */
export interface ResynchronisedFeed {
  readonly database: Database;
  readonly feed: FollowedFeed;
  readonly kinds: readonly string[];
  /** As while it follows, so that every generation of the index hears of it. */
  readonly index: (tx: Transaction, entries: readonly FeedEntry[]) => Promise<void>;
}

/**
 * Makes what search holds agree with all records of an owner; searches are answered meanwhile.
 *
 * @returns the place from which to follow the owner's log.
 */
export async function resynchroniseSearch(
  at: Resynchronisation,
  { database, feed, kinds, index }: ResynchronisedFeed,
): Promise<LogPosition> {
  return await reconcileWithSnapshot(at, {
    schema: "search",
    kinds,
    reconcile: (tx, entries) => index(tx, entries),
    held: () => heldRecords(database, feed),
  });
}
