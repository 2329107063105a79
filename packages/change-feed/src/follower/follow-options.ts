import type { Client, Transport } from "@connectrpc/connect";
import type { FeedEntry, FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Queryable, Transaction } from "@storefront/database";
import type { Logger } from "@storefront/process";
import type { LogPosition } from "../log/log-source.ts";
import type { FeedCursor, SnapshotProgressStore } from "./feed-cursor.ts";
import type { FeedLag, Lag } from "./feed-lag.ts";
import type { FeedLease, LeaseState } from "./feed-lease.ts";
import type { FeedMetrics, ResynchronisationReason } from "./feed-metrics.ts";
import type { Quarantine, QuarantinedEntry } from "./quarantine.ts";

/** Records of a kind between two keys. */
export interface KeyRange {
  readonly kind: string;
  /** Those after this key; empty for the first. */
  readonly after: readonly string[];
  /** Up to this one; undefined for all. */
  readonly through: readonly string[] | undefined;
}

/** How what a follower stores is made to agree with the records of an owner. */
export interface SnapshotReconciliation {
  /** Read one after the other. */
  readonly kinds: readonly string[];
  /**
   * Takes records as they are now, at most some 10,000; one without a `record` is not there any more. They have no
   * changes, and all states of one record come together. May be given what it has taken already. Beside a log that
   * is followed, entries of it may come after the records, to be applied as ever.
   *
   * @param position of the log that the snapshot was begun at
   */
  readonly reconcile: (
    tx: Transaction,
    entries: readonly FeedEntry[],
    position: LogPosition,
  ) => Promise<void>;
  /** The first so many records that the follower stores of a range, by their keys in the order of code points. */
  readonly storedKeys: (
    tx: Transaction,
    range: KeyRange,
    limit: number,
  ) => Promise<readonly (readonly string[])[]>;
}

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
  /** Rebuilds what the follower holds before the log is followed; must bear to be interrupted. */
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

/** What a follower has at hand to agree again with a log that it can no longer follow. */
export interface Resynchronisation {
  readonly feed: string;
  /** The log, as it is now. */
  readonly client: Client<typeof FeedService>;
  readonly reason: ResynchronisationReason;
  /** Where the follower was. */
  readonly position: LogPosition;
  /** Aborts when the follower is closed. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Runs a transaction beside which no other process applies this feed here. The cursor stays at `position`
   * until all is done, so that an interrupted run starts over: every step must bear that.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Notes that every record is as it is after this sequence or later, so that a write which is quarantined
   * does not take the place of a newer one when it is tried again.
   */
  noteRecords(tx: Transaction, sequence: bigint): Promise<void>;
  /** How far a snapshot is that is under way. */
  readonly snapshots: SnapshotProgressStore;
}

/** Makes what the follower holds agree with the log; gives the place from which to follow it. */
export type Resynchronise = (at: Resynchronisation) => Promise<LogPosition>;

/** How a projection is doing. */
export interface FollowerHealth extends Lag {
  /** Entries that could not be applied and were passed over. */
  readonly quarantinedEntries: bigint;
  /** Whether a newer version of the projection has written, so that this process only stands by. */
  readonly isOutdated: boolean;
}

/** What the database knows of a follower, whichever process applies the feed. */
interface FollowerDescription extends LeaseState {
  /** Of this process; that of `version` is of who has written last. */
  readonly ownVersion: number;
  readonly quarantinedEntries: number;
  /** The first of them, at most 100. */
  readonly quarantined: readonly QuarantinedEntry[];
}

export interface RetryOutcome {
  /** Entries that are applied now. */
  readonly applied: number;
  /** Entries that failed again. */
  readonly failed: number;
}

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
   * Rebuilds the projection, as `FollowOptions.rebuild` says. Does nothing without it.
   *
   * @param signal breaks it off.
   */
  rebuild(signal: AbortSignal): Promise<void>;
  /** Applies the quarantined entries, once the database is migrated; see `retryQuarantined`. */
  retryQuarantined(): Promise<RetryOutcome>;
  /** Lets the transaction under way end, then stops and lets another process go on. */
  close(): Promise<void>;
}

/** What a follower of a feed is made of, and all that it does works with. */
export interface FollowerParts {
  readonly options: FollowOptions;
  readonly client: Client<typeof FeedService>;
  readonly cursor: FeedCursor;
  /** A rebuild has one of its own, so that no process applies the feed meanwhile, not even this one. */
  readonly lease: FeedLease;
  readonly quarantine: Quarantine;
  readonly lag: FeedLag;
  readonly snapshots: SnapshotProgressStore;
  /** Aborts when the follower, or the rebuild, is to end. */
  readonly signal: AbortSignal;
}
