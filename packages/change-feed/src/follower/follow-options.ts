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

/** A range of records of one kind. */
export interface KeyRange {
  readonly kind: string;
  /** Exclusive lower bound; empty for the first record. */
  readonly after: readonly string[];
  /** Inclusive upper bound; undefined for the last record. */
  readonly through: readonly string[] | undefined;
}

/** Reconciles a follower's tables with the records of an owner. */
export interface SnapshotReconciliation {
  /** Read in this order. */
  readonly kinds: readonly string[];
  /**
   * Stores current records, at most about 10,000 at once; one without a `record` is deleted. They have no changes, and
   * all states of one record are in one call. Records may be repeated, and older log entries of them may follow.
   *
   * @param position of the log when the snapshot began
   */
  readonly reconcile: (
    tx: Transaction,
    entries: readonly FeedEntry[],
    position: LogPosition,
  ) => Promise<void>;
  /** The first stored keys of a range, in the order of code points. */
  readonly storedKeys: (
    tx: Transaction,
    range: KeyRange,
    limit: number,
  ) => Promise<readonly (readonly string[])[]>;
}

/** What to follow, and where the cursor is stored. */
export interface FollowOptions {
  /** Name of the feed, that of its service: `catalog`. */
  readonly feed: string;
  /**
   * Name of the cursor, lease, quarantine and snapshot; default `feed`. A release with tables of its own uses
   * its own cursor, so that both releases resume where they stopped.
   */
  readonly cursorName?: string | undefined;
  /** Transport to the feed's service. The caller closes it, after the follower. */
  readonly transport: Transport;
  /** Only entries of these kinds; default all. */
  readonly kinds?: readonly string[];
  /** Database that the follower writes. */
  readonly database: Database;
  /**
   * Schema with the tables `feed_cursor`, `feed_lease`, `quarantined_entry` and `snapshot_progress`. Also the
   * follower's name at the feed.
   */
  readonly schema: string;
  /**
   * Version of the written data, from 1; raised when `apply` writes differently. A process with a lower
   * version stays on stand-by once a higher one has written.
   */
  readonly projectionVersion: number;
  /**
   * Applies entries, oldest first, at most 5,000, in the transaction that advances the cursor. May run again
   * with the same entries after a rollback; must use only the transaction. When it rejects, the entries are
   * retried: without limit after a transient error, else `maxTries` times, then one by one.
   */
  readonly apply: (tx: Transaction, entries: readonly FeedEntry[]) => Promise<void>;
  /**
   * Reconciles with a snapshot while the log is followed: when the log cannot be followed from the cursor,
   * when data is incomplete, and for a rebuild. Default: `resynchronise` and `rebuild`.
   */
  readonly snapshot?: SnapshotReconciliation | undefined;
  /**
   * Reconciles with a log that cannot be followed from the cursor, before it is followed. Default: the
   * follower retries without limit.
   */
  readonly resynchronise?: Resynchronise | undefined;
  /**
   * Whether an earlier release, which knows neither this data nor `projectionVersion`, has written incomplete
   * data. Checked before each stream, and after another process applied entries; then `snapshot` completes
   * the data. If that fails, the feed is followed and the snapshot retried.
   */
  readonly isIncomplete?: ((queryable: Queryable) => Promise<boolean>) | undefined;
  /** Rebuilds the follower's data before the log is followed; must be safe to interrupt. */
  readonly rebuild?: Resynchronise | undefined;
  /**
   * Applies a quarantined entry whose record has a later write: the entry's state of the record is stale.
   * Default: nothing; the entry counts as applied.
   */
  readonly applySuperseded?: (tx: Transaction, entry: FeedEntry) => Promise<void>;
  /** How often a failing entry is tried before it is quarantined; default 5. */
  readonly maxTries?: number;
  /** Called after each commit of this process, and when commits of the applying process are noticed. */
  readonly onCommitted?: () => void;
  readonly logger: Logger;
  readonly metrics?: FeedMetrics | undefined;
  /** A stream that is silent for this long is abandoned; default 15 s. */
  readonly idleLimitMs?: number;
  /** Lease duration in milliseconds; default 3 s. */
  readonly leaseMs?: number;
}

/** Tools to reconcile with a log that cannot be followed from the cursor. */
export interface Resynchronisation {
  readonly feed: string;
  /** Client of the feed. */
  readonly client: Client<typeof FeedService>;
  readonly reason: ResynchronisationReason;
  /** Position of the follower. */
  readonly position: LogPosition;
  /** Aborts when the follower is closed. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Runs a transaction that excludes other processes. The cursor stays at `position` until all is done, so an
   * interrupted run starts again: every step must be repeatable.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Marks every record as current at this sequence or later, so that a retried quarantined write does not
   * overwrite a newer one.
   */
  noteRecords(tx: Transaction, sequence: bigint): Promise<void>;
  readonly snapshots: SnapshotProgressStore;
}

/** Reconciles the follower's data with the log; returns the position to follow from. */
export type Resynchronise = (at: Resynchronisation) => Promise<LogPosition>;

/** Health of a projection. */
export interface FollowerHealth extends Lag {
  readonly quarantinedEntries: bigint;
  /** Whether a newer version of the projection has written, so that this process stays on stand-by. */
  readonly isOutdated: boolean;
}

/** State of a follower in the database, whichever process applies the feed. */
interface FollowerDescription extends LeaseState {
  /** Projection version of this process; `version` is that of the last writer. */
  readonly ownVersion: number;
  readonly quarantinedEntries: number;
  /** The oldest of them, at most 100. */
  readonly quarantined: readonly QuarantinedEntry[];
}

export interface RetryOutcome {
  readonly applied: number;
  readonly failed: number;
}

export interface FeedFollower {
  /** Starts to follow, after the database is migrated; reconnects without limit. */
  start(): void;
  /** Lag of the projection, whichever process applies the feed. Rejects while the feed is not connected. */
  probe(): Promise<FollowerHealth>;
  /** Holder, progress and quarantined entries. */
  describe(): Promise<FollowerDescription>;
  /** Rebuilds the projection by `FollowOptions.rebuild` or `snapshot`; no-op without these. */
  rebuild(signal: AbortSignal): Promise<void>;
  /** Retries the quarantined entries, after the database is migrated. */
  retryQuarantined(): Promise<RetryOutcome>;
  /** Finishes the current transaction, stops, and releases the lease. */
  close(): Promise<void>;
}

/** Shared parts of a follower. */
export interface FollowerParts {
  readonly options: FollowOptions;
  readonly client: Client<typeof FeedService>;
  readonly cursor: FeedCursor;
  /** A rebuild has its own lease, so that no process applies the feed meanwhile, not even this one. */
  readonly lease: FeedLease;
  readonly quarantine: Quarantine;
  readonly lag: FeedLag;
  readonly snapshots: SnapshotProgressStore;
  /** Aborts when the follower or the rebuild ends. */
  readonly signal: AbortSignal;
}
