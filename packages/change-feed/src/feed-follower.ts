import type { Lag } from "./feed-lag.ts";
import type { LeaseState } from "./feed-lease.ts";
import type { QuarantinedEntry } from "./quarantine.ts";
import type { RetryOutcome } from "./retry-quarantined.ts";

/** How a projection is doing. */
export interface FollowerHealth extends Lag {
  /** Entries that could not be applied and were passed over. */
  readonly quarantinedEntries: bigint;
  /** Whether a newer version of the projection has written, so that this process only stands by. */
  readonly isOutdated: boolean;
}

/** What the database knows of a follower, whichever process applies the feed. */
export interface FollowerDescription extends LeaseState {
  /** Of this process; that of `version` is of who has written last. */
  readonly ownVersion: number;
  readonly quarantinedEntries: number;
  /** The first of them, at most 100. */
  readonly quarantined: readonly QuarantinedEntry[];
}

/** A consumer of a feed. */
export interface FeedFollower {
  /** Begins to follow, once the database is migrated; reconnects for ever. */
  start(): void;
  /**
   * For health: how far behind the projection is, whichever process applies the feed. Rejects while the
   * feed is not connected.
   */
  probe(): Promise<FollowerHealth>;
  /** Who applies the feed, how far, and what could not be applied. */
  describe(): Promise<FollowerDescription>;
  /**
   * Makes the projection anew, as `FollowOptions.rebuild` says. Does nothing without it.
   *
   * @param signal breaks it off.
   */
  rebuild(signal: AbortSignal): Promise<void>;
  /** Applies the quarantined entries, once the database is migrated; see `retryQuarantined`. */
  retryQuarantined(): Promise<RetryOutcome>;
  /** Lets the transaction under way end, then stops and lets another process go on. */
  close(): Promise<void>;
}
