import { CommitSignal } from "../log/log-tail.ts";
import { watchFeed } from "./feed-calls.ts";
import type { LeaseState } from "./feed-lease.ts";
import type { FollowerParts } from "./follow-options.ts";

/** A holder that lives has this long for what has just been written. */
const graceMs = 1_000;

/** `take`: try to; `wait`: look again soon; `idle`: look again when the feed tells of something new. */
type TakeOverStep = "take" | "wait" | "idle";

/** A position of the log, as the feed told of it. */
interface HeardPosition {
  readonly newest: bigint;
  /** How many positions were told before. */
  readonly place: number;
}

/**
 * Decides when a process that stands by takes a feed over. That a lease was not renewed says nothing of a
 * holder that has nothing to do, so it is taken when something is due as well. But a process that
 * starts takes what is expired, so that nothing that comes later has to wait for its grace.
 */
export class TakeOver {
  readonly #projectionVersion: number;
  #isStarting = true;
  #isOutdated = false;
  #place = -1;
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
   * @param heard undefined before the feed has told of a position.
   * @param nowMs of any clock that never goes back.
   */
  decide(
    state: LeaseState,
    heard: HeardPosition | undefined,
    nowMs = performance.now(),
  ): TakeOverStep {
    this.#isOutdated = state.version > this.#projectionVersion;
    if (this.#isOutdated) return "idle";
    if (state.holder === undefined || state.version < this.#projectionVersion) return "take";
    if (this.#isStarting) {
      this.#isStarting = !state.isExpired;
      return state.isExpired ? "take" : "wait";
    }
    const isDue = this.#isDue(state, heard);
    if (!isDue || state.cursor !== this.#cursor) this.#stuckSinceMs = undefined;
    this.#cursor = state.cursor;
    if (!isDue) return "idle";
    this.#stuckSinceMs ??= nowMs;
    return state.isExpired && nowMs - this.#stuckSinceMs >= graceMs ? "take" : "wait";
  }

  #isDue({ cursor, snapshotRecords }: LeaseState, heard: HeardPosition | undefined): boolean {
    if (snapshotRecords !== undefined) return true;
    if (heard === undefined) return false;
    if (heard.place !== this.#place) {
      // Told after the cursor was there already. Who applies the feed has to notice.
      this.#hasLogGoneBack = heard.newest < this.#cursor;
      this.#place = heard.place;
    }
    return heard.newest > cursor || this.#hasLogGoneBack;
  }
}

/** Between looks at a lease while its holder owes something. */
const lookIntervalMs = 500;

/**
 * Waits beside the process that applies a feed, and takes its place when it does not do so any more.
 * The feed itself tells when there is something to apply, so that the database is looked at only then.
 *
 * Resolves when the lease is held, or when the service ends the stream; rejects when the stream breaks,
 * the database cannot be reached, or the signal says so.
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
  let heard: HeardPosition | undefined;
  let cursor: bigint | undefined;
  let isEnded = false;
  const hearing = hear(parts, AbortSignal.any([signal, done.signal]), (newest) => {
    const isNew = newest !== heard?.newest;
    heard = { newest, place: (heard?.place ?? -1) + 1 };
    // An idle database is not woken for a heartbeat.
    if (isNew || polling.idleSinceMs === undefined) news.notify();
  }).finally(() => {
    isEnded = true;
    news.notify();
  });
  // Looked at when it is awaited, below.
  hearing.catch(() => undefined);
  try {
    for (;;) {
      const { version } = news;
      const state = await polling.runInBackground(() => lease.look());
      if (cursor !== undefined && state.cursor !== cursor) onCommitted?.();
      cursor = state.cursor;
      await polling.runInBackground(() => quarantine.count(database));
      if (heard !== undefined) lag.standingBy(state.cursor, heard.newest);
      const wasOutdated = takeOver.isOutdated;
      const step = takeOver.decide(state, heard);
      if (takeOver.isOutdated && !wasOutdated) {
        logger.warn({ feed, version: state.version }, "a newer version applies the feed for good");
      }
      if (step === "take" && (await lease.take())) return;
      if (isEnded) return await hearing;
      // Without an end while nothing is due: whatever comes is news.
      const pauseMs = step === "idle" ? 2 ** 31 - 1 : lookIntervalMs;
      await news.changedSince(version, pauseMs, signal);
      signal.throwIfAborted();
    }
  } finally {
    done.abort();
  }
}

/** Tells of every position of the log that becomes known. */
async function hear(
  parts: FollowerParts,
  signal: AbortSignal,
  onHeard: (newest: bigint) => void,
): Promise<void> {
  const messages = watchFeed(parts, { fromNow: true }, signal);
  for await (const { newestSequence } of messages) onHeard(newestSequence);
}
