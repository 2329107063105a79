import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { Backoff } from "@storefront/rpc";
import type { LogPosition } from "../log/log-source.ts";
import type { SnapshotProgress } from "./feed-cursor.ts";
import { LeaseLostError } from "./feed-lease.ts";
import type { ResynchronisationReason } from "./feed-metrics.ts";
import type { FollowerParts, FollowOptions, SnapshotReconciliation } from "./follow-options.ts";
import { asFollower, StepSize } from "./pace.ts";
import type { FollowerStep } from "./pace.ts";
import { cursorMoved, resynchronisationSentences, textOf } from "./resynchroniser.ts";
import { NewerEntries } from "./snapshot-page.ts";
import { beginSnapshot, takeSnapshot } from "./take-snapshot.ts";

const firstPauseMs = 1_000;
const maxPauseMs = 300_000;

/**
 * Detects data that an earlier release left out: it may have applied entries without data that this release
 * stores. Checks only after another process may have applied entries.
 */
export class Completeness {
  readonly #options: FollowOptions;
  #isDoubted = false;
  #pauseMs = 0;
  #pauseEndMs = -Infinity;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Another process may have applied entries. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Whether data is known to be missing and a retry is due. */
  async isLacking(): Promise<boolean> {
    const { isIncomplete, database } = this.#options;
    if (isIncomplete === undefined || !this.#isDoubted) return false;
    if (performance.now() < this.#pauseEndMs) return false;
    this.#isDoubted = await isIncomplete(database);
    if (!this.#isDoubted) this.#pauseMs = 0;
    return this.#isDoubted;
  }

  /** Delays the next attempt; the delay doubles while attempts have no effect. */
  triedToComplete(): void {
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, firstPauseMs), maxPauseMs);
    this.#pauseEndMs = performance.now() + this.#pauseMs;
  }
}

/** The log that is followed during a snapshot. */
interface FollowedLog {
  /** The last entry that this process has applied. */
  position(): LogPosition;
  /** Runs a transaction while no other one applies entries. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Takes snapshots of an owner while its log is followed, and resumes those of another process. */
export class SnapshotFollower {
  readonly #parts: FollowerParts;
  readonly #reconciliation: SnapshotReconciliation;
  readonly #size: StepSize;
  #newer = new NewerEntries();

  constructor(parts: FollowerParts, reconciliation: SnapshotReconciliation) {
    this.#parts = parts;
    this.#reconciliation = reconciliation;
    this.#size = new StepSize(parts.options.database.driver === "pglite");
  }

  /** Undefined when no snapshot is in progress. */
  async find(): Promise<SnapshotProgress | undefined> {
    return await this.#parts.snapshots.find(this.#parts.options.database);
  }

  /**
   * Begins a snapshot. When the log cannot be followed from the cursor, advances the cursor to the log's present end.
   *
   * @param position of the follower
   */
  async begin(reason: ResynchronisationReason, position: LogPosition): Promise<void> {
    const { options, client, cursor, quarantine, snapshots, signal } = this.#parts;
    const { feed, logger, metrics } = options;
    const begun = await beginSnapshot({ client, reason, signal }, this.#reconciliation);
    await this.#transaction(position, async (tx) => {
      await snapshots.store(tx, begun);
      await quarantine.supersedeAll(tx, begun.position.sequence);
      if (reason === "pruned" || reason === "diverged") await cursor.advance(tx, begun.position);
    });
    metrics?.countResynchronisation(feed, reason);
    const positions = { from: textOf(position), to: textOf(begun.position) };
    logger.warn({ feed, reason, ...positions }, resynchronisationSentences[reason]);
  }

  /** Records applied entries of the log. */
  noteApplied(entries: readonly FeedEntry[]): void {
    this.#newer.add(entries);
  }

  /**
   * Resolves when the snapshot is complete or the signal aborts. Retries transient errors with growing pauses.
   *
   * @throws LeaseLostError when another process applies the feed
   */
  async run(log: FollowedLog, signal: AbortSignal): Promise<void> {
    const { options, lease } = this.#parts;
    const { feed, logger } = options;
    const backoff = new Backoff(firstPauseMs, maxPauseMs);
    let reached: number | undefined;
    for (;;) {
      const progress = await this.find();
      if (progress === undefined) return;
      if (progress.records !== reached) backoff.reset();
      reached = progress.records;
      try {
        await lease.whileHeld(logger, () => this.#take(progress, log, signal));
        const { reason, position } = progress;
        logger.warn({ feed, reason, from: textOf(position) }, "the feed is resynchronised");
        return;
      } catch (err) {
        if (signal.aborted) return;
        if (err instanceof LeaseLostError) throw err;
        this.#size.failed();
        logger.warn({ err, feed }, "a snapshot cannot be read on now");
      }
      await backoff.wait(signal);
    }
  }

  async #take(progress: SnapshotProgress, log: FollowedLog, signal: AbortSignal): Promise<void> {
    const { options, client, lag, quarantine, snapshots } = this.#parts;
    const ended = new AbortController();
    this.#newer = new NewerEntries();
    const inTurn = (work: (tx: Transaction) => Promise<void>) =>
      asFollower(lag.secondsBehind(), () =>
        log.inTurn(() => this.#transaction(log.position(), work)),
      );
    try {
      await takeSnapshot({
        client,
        reconciliation: this.#reconciliation,
        progress,
        newer: this.#newer,
        size: this.#size,
        signal: AbortSignal.any([signal, ended.signal]),
        transaction: async (work) => {
          await inTurn(work);
          options.onCommitted?.();
        },
        note: async (tx, reached, { records, position: { sequence } }) => {
          await snapshots.store(tx, reached);
          const applied = records.map(({ kind, key }) => ({ kind, key: [...key], sequence }));
          await quarantine.supersede(tx, applied);
        },
      });
      await inTurn((tx) => snapshots.remove(tx));
    } finally {
      ended.abort();
    }
  }

  /** Runs a transaction that excludes other processes, and fails if one has applied entries since. */
  async #transaction(
    { sequence }: LogPosition,
    work: (tx: Transaction) => Promise<void>,
  ): Promise<FollowerStep<void>> {
    const { options, lease, cursor } = this.#parts;
    return await lease.transaction(cursor, async (tx, stored) => {
      if (stored.sequence !== sequence) throw cursorMoved(options.feed, stored);
      await work(tx);
    });
  }
}
