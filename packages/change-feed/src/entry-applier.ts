import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedCursor } from "./feed-cursor.ts";
import type { FeedLease } from "./feed-lease.ts";
import type { LogPosition } from "./log-position.ts";
import type { FollowOptions } from "./follow-options.ts";

/** Applies entries of a feed, and moves the cursor in the transaction of what it stands for. */
export class EntryApplier {
  readonly #options: FollowOptions;
  readonly #cursor: FeedCursor;
  readonly #lease: FeedLease;

  constructor(options: FollowOptions, cursor: FeedCursor, lease: FeedLease) {
    this.#options = options;
    this.#cursor = cursor;
    this.#lease = lease;
  }

  /**
   * Applies entries and moves the cursor from `position` to `through`, which it gives.
   *
   * @throws LeaseLostError when another process applies the feed.
   */
  async apply(
    entries: readonly FeedEntry[],
    through: LogPosition,
    position: LogPosition,
  ): Promise<LogPosition> {
    if (!isNews(through, position)) return position;
    const { database, apply, feed, metrics, onCommitted } = this.#options;
    const fresh = await database.transaction(async (tx) => {
      await this.#lease.confirm(tx);
      const stored = await this.#cursor.lock(tx);
      // Only a cursor that went back, as by a restored backup, can be behind: read the feed again.
      if (stored.sequence < position.sequence) {
        throw new Error(`the cursor of ${feed} went back to ${stored.sequence}`);
      }
      // A process of release 0.2.0 knows no lease and may have been faster.
      const missing = entries.filter(({ sequence }) => sequence > stored.sequence);
      if (missing.length > 0) await apply(tx, missing);
      if (isNews(through, stored)) await this.#cursor.advance(tx, through);
      return missing.length;
    });
    if (fresh > 0) {
      metrics?.countApplied(feed, fresh);
      onCommitted?.();
    }
    return through;
  }
}

/** Whether a place is further on, or is the same and its identity is known only now. */
function isNews(place: LogPosition, known: LogPosition): boolean {
  if (place.sequence !== known.sequence) return place.sequence > known.sequence;
  return known.identity === "" && place.identity !== "";
}
