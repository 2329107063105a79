import type { Transport } from "@connectrpc/connect";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Queryable, Transaction } from "@storefront/database";
import type { Logger } from "@storefront/telemetry";
import type { FeedMetrics } from "./feed-metrics.ts";
import type { Resynchronise } from "./resynchronise.ts";
import type { SnapshotReconciliation } from "./take-snapshot.ts";

/** What follows which feed, and where it keeps its cursor. */
export interface FollowOptions {
  /** Name of the feed, that of its service: `catalog`. */
  readonly feed: string;
  /**
   * Name of the cursor, the lease, the quarantine and the snapshot; default that of the feed. A release that keeps other tables than
   * the one before it has a cursor of its own, so that either goes on where it was.
   */
  readonly cursorName?: string | undefined;
  /** How the feed's service is called. The caller closes it, after the follower. */
  readonly transport: Transport;
  /** Only entries of these kinds; default all. */
  readonly kinds?: readonly string[];
  /** Where the follower writes. */
  readonly database: Database;
  /**
   * Schema with the tables `feed_cursor`, `feed_lease`, `quarantined_entry` and `snapshot_progress`. Under its name the
   * feed knows the follower.
   */
  readonly schema: string;
  /**
   * Of what is written, from 1: a higher one when `apply` writes otherwise than before. A process with a
   * lower one stands by for good once a higher one has written.
   */
  readonly projectionVersion: number;
  /**
   * Applies entries, oldest first, at most 5,000, in the transaction that moves the cursor: each is
   * committed exactly once. May run again with the same entries after a rollback; must use nothing
   * but the transaction. When it rejects, the entries are tried again: for ever where the
   * reason may pass, else as often as `maxTries` says, and then each by itself.
   */
  readonly apply: (tx: Transaction, entries: readonly FeedEntry[]) => Promise<void>;
  /**
   * How what the follower holds is made to agree with a snapshot: where the log cannot be followed any more from its
   * cursor, where something is lacking, and for a rebuild. The log is followed meanwhile. Default: `resynchronise` and
   * `rebuild` do it.
   */
  readonly snapshot?: SnapshotReconciliation | undefined;
  /**
   * Makes what the follower holds agree with a log that it can no longer follow from its cursor, before that is followed.
   * Default: the follower tries again, for ever.
   */
  readonly resynchronise?: Resynchronise | undefined;
  /**
   * Whether what the follower holds lacks something that `apply` keeps, since an earlier release has written it that knows
   * neither that nor `projectionVersion`s. Asked by who applies the feed, before each stream and once another process
   * was seen to apply entries; then `snapshot` brings it in. Where that fails the feed is followed, and it is tried again.
   */
  readonly isIncomplete?: ((queryable: Queryable) => Promise<boolean>) | undefined;
  /** Makes anew what the follower holds, whatever it is, before the log is followed; must bear to be interrupted. */
  readonly rebuild?: Resynchronise | undefined;
  /**
   * Applies an entry that was quarantined and whose record has a later write that was applied: what the
   * entry says of the record's state is old. Default: nothing, and it counts as applied.
   */
  readonly applySuperseded?: (tx: Transaction, entry: FeedEntry) => Promise<void>;
  /** How often an entry that fails by itself is tried before it is quarantined; default 5. */
  readonly maxTries?: number;
  /**
   * Called after commits of entries: after each of this process, and when it is seen that the one that
   * applies the feed has committed some.
   */
  readonly onCommitted?: () => void;
  readonly logger: Logger;
  readonly metrics?: FeedMetrics | undefined;
  /** A stream that is silent for this long is given up; default 15 s. */
  readonly idleLimitMs?: number;
  /** How long a process that applies nothing of what is due is taken for alive; default 3 s. */
  readonly leaseMs?: number;
}
