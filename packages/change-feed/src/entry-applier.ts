import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedCursor } from "./feed-cursor.ts";
import type { FollowOptions } from "./follow-options.ts";

/** Applies entries of a feed, and moves the cursor in the transaction of what it stands for. */
export class EntryApplier {
  readonly #options: FollowOptions;
  readonly #cursor: FeedCursor;

  constructor(options: FollowOptions, cursor: FeedCursor) {
    this.#options = options;
    this.#cursor = cursor;
  }

  /** Applies entries and moves the cursor from `position` to `through`, which it gives. */
  async apply(entries: readonly FeedEntry[], through: bigint, position: bigint): Promise<bigint> {
    if (through <= position) return position;
    const { database, apply, feed, metrics, onCommitted } = this.#options;
    const fresh = await database.transaction(async (tx) => {
      const stored = await this.#cursor.lock(tx);
      // Only a cursor that went back, as by a restored backup, can be behind: read the feed again.
      if (stored < position) throw new Error(`the cursor of ${feed} went back to ${stored}`);
      // Another process with the same cursor may have been faster.
      const missing = entries.filter(({ sequence }) => sequence > stored);
      if (missing.length > 0) await apply(tx, missing);
      if (through > stored) await this.#cursor.advance(tx, through);
      return missing.length;
    });
    if (fresh > 0) {
      metrics?.countApplied(feed, fresh);
      onCommitted?.();
    }
    return through;
  }
}
