import { CommitSignal } from "../log/log-tail.ts";
import { watchFeed } from "./feed-calls.ts";
import type { LeaseState } from "./feed-lease.ts";
import type { FollowerParts } from "./follow-options.ts";

/** Time for a live holder to apply entries that were just written. */
const graceMs = 1_000;

/** `take`: try to; `wait`: check again soon; `idle`: check again when the feed reports a change. */
type TakeOverStep = "take" | "wait" | "idle";

/** A position of the log, as reported by the feed. */
interface ReportedPosition {
  readonly newest: bigint;
  /** Number of earlier reports. */
  readonly reportNumber: number;
}

/**
 * Decides when a standby takes a feed over. A lease that was not renewed may belong to an idle holder, so a
 * standby takes it only when entries are due. A process that starts takes an expired lease at once, so that
 * later entries need not wait for the grace period.
 */
export class TakeOver {
  readonly #projectionVersion: number;
  #isStarting = true;
  #isOutdated = false;
  #reportNumber = -1;
  #hasLogGoneBack = false;
  #cursor = 0n;
  #stuckSinceMs: number | undefined;

  constructor(projectionVersion: number) {
    this.#projectionVersion = projectionVersion;
  }

  /** Whether a newer version of the projection has written, so that this process may not. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /**
   * @param reported undefined before the feed's first report
   * @param nowMs of a monotonic clock
   */
  decide(
    state: LeaseState,
    reported: ReportedPosition | undefined,
    nowMs = performance.now(),
  ): TakeOverStep {
    this.#isOutdated = state.version > this.#projectionVersion;
    if (this.#isOutdated) return "idle";
    if (state.holder === undefined || state.version < this.#projectionVersion) return "take";
    if (this.#isStarting) {
      this.#isStarting = !state.isExpired;
      return state.isExpired ? "take" : "wait";
    }
    const isDue = this.#isDue(state, reported);
    if (!isDue || state.cursor !== this.#cursor) this.#stuckSinceMs = undefined;
    this.#cursor = state.cursor;
    if (!isDue) return "idle";
    this.#stuckSinceMs ??= nowMs;
    return state.isExpired && nowMs - this.#stuckSinceMs >= graceMs ? "take" : "wait";
  }

  #isDue({ cursor, snapshotRecords }: LeaseState, reported: ReportedPosition | undefined): boolean {
    if (snapshotRecords !== undefined) return true;
    if (reported === undefined) return false;
    if (reported.reportNumber !== this.#reportNumber) {
      // Reported after the cursor was read; the holder has to notice it.
      this.#hasLogGoneBack = reported.newest < this.#cursor;
      this.#reportNumber = reported.reportNumber;
    }
    return reported.newest > cursor || this.#hasLogGoneBack;
  }
}

/** Interval between checks of a lease while entries are due. */
const checkIntervalMs = 500;

/**
 * Waits while another process applies a feed, and takes over when it stops. The feed reports new entries,
 * so the database is read only then.
 *
 * Resolves when the lease is held or the service ends the stream; rejects when the stream breaks, the
 * database is unavailable, or the signal aborts.
 */
export async function standBy(
  parts: FollowerParts,
  takeOver: TakeOver,
  signal: AbortSignal,
): Promise<void> {
  const { options, lease, lag, quarantine } = parts;
  const { database, logger, feed, onCommitted } = options;
  const { polling } = database;
  const news = new CommitSignal();
  const done = new AbortController();
  let reported: ReportedPosition | undefined;
  let cursor: bigint | undefined;
  let isEnded = false;
  const watching = watchReports(parts, AbortSignal.any([signal, done.signal]), (newest) => {
    const isNew = newest !== reported?.newest;
    reported = { newest, reportNumber: (reported?.reportNumber ?? -1) + 1 };
    // A heartbeat must not wake an idle database.
    if (isNew || polling.idleSinceMs === undefined) news.notify();
  }).finally(() => {
    isEnded = true;
    news.notify();
  });
  // Awaited below.
  watching.catch(() => undefined);
  try {
    for (;;) {
      const { version } = news;
      const state = await polling.runInBackground(() => lease.look());
      if (cursor !== undefined && state.cursor !== cursor) onCommitted?.();
      cursor = state.cursor;
      await polling.runInBackground(() => quarantine.count(database));
      if (reported !== undefined) lag.standingBy(state.cursor, reported.newest);
      const wasOutdated = takeOver.isOutdated;
      const step = takeOver.decide(state, reported);
      if (takeOver.isOutdated && !wasOutdated) {
        logger.warn({ feed, version: state.version }, "a newer version applies the feed for good");
      }
      if (step === "take" && (await lease.take())) return;
      if (isEnded) return await watching;
      // Without a limit while nothing is due.
      const pauseMs = step === "idle" ? 2 ** 31 - 1 : checkIntervalMs;
      await news.changedSince(version, pauseMs, signal);
      signal.throwIfAborted();
    }
  } finally {
    done.abort();
  }
}

/** Reports each known end of the log. */
async function watchReports(
  parts: FollowerParts,
  signal: AbortSignal,
  onReported: (newest: bigint) => void,
): Promise<void> {
  const messages = watchFeed(parts, { fromNow: true }, signal);
  for await (const { newestSequence } of messages) onReported(newestSequence);
}
