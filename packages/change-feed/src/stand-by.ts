import { CommitSignal } from "./log/log-tail.ts";
import type { FollowerParts } from "./follower-parts.ts";
import type { HeardPosition, TakeOver } from "./take-over.ts";
import { watchFeed } from "./watch-feed.ts";

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
