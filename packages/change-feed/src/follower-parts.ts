import type { Client } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedCursor } from "./feed-cursor.ts";
import type { FeedLag } from "./feed-lag.ts";
import type { FeedLease } from "./feed-lease.ts";
import type { FollowOptions } from "./follow-options.ts";
import type { Quarantine } from "./quarantine.ts";
import type { SnapshotProgressStore } from "./snapshot-progress.ts";

/** What a follower of a feed is made of, and all that it does works with. */
export interface FollowerParts {
  readonly options: FollowOptions;
  readonly client: Client<typeof FeedService>;
  readonly cursor: FeedCursor;
  /** A rebuild has one of its own, so that nobody applies the feed meanwhile, not even this process. */
  readonly lease: FeedLease;
  readonly quarantine: Quarantine;
  readonly lag: FeedLag;
  readonly snapshots: SnapshotProgressStore;
  /** Aborts when the follower, or the rebuild, is to end. */
  readonly signal: AbortSignal;
}
