import { Code, ConnectError } from "@connectrpc/connect";
import type { CallOptions, Client } from "@connectrpc/connect";
import type {
  FeedEntry,
  FeedService,
  WatchChangesResponse,
} from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { Backoff, errorInfoOf, followStream } from "@storefront/rpc";
import type { FeedName, FeedState, Logger } from "@storefront/process";
import type { FeedPosition } from "./feed-journal.ts";

const firstBackoffMs = 50;
// While a feed is disconnected, responses are cached for too short a time to be of much use.
const maxBackoffMs = 1000;

/** Longest wait for a message, in milliseconds: releases that know no shorter heartbeat promise one every 5 s. */
const silenceLimitMs = 7000;

/** The requested interval of heartbeats. */
const heartbeatMs = 250;

/**
 * After so many heartbeats without a message, 750 ms, the feed vouches for nothing. A service may see the commit of
 * its other replica 200 ms late, and a write shows within a second.
 */
const heartbeatsPerLease = 3;

/** How long an attempt may wait for its first message before `reconnect` replaces it. */
const firstMessageMs = 1000;

/** How long the feed may be behind its log, as it is during an import, before writes would show too late. */
const lagLimitMs = 500;

/** A position in a log that was followed before. */
export interface FeedCursor extends FeedPosition {
  /** Differs between any two logs; empty while the log is. */
  readonly logId: string;
}

/** What is followed, and the callbacks. */
export interface FeedTailOptions {
  feed: FeedName;
  client: Client<typeof FeedService>;
  logger: Logger;
  /** Kinds of records; default all. */
  kinds?: readonly string[];
  /** Where following continues; default: with what is committed from now on. */
  from?: FeedCursor | undefined;
  /** Following begins here, without any knowledge of what was before. */
  onBegin: (cursor: FeedCursor) => void;
  /** Entries in order, none in a heartbeat; no entry before the cursor is missing then. */
  onEntries: (entries: readonly FeedEntry[], cursor: FeedCursor) => void;
  /** Every commit is known at once, until then on the clock of `performance.now()`; 0 when that is not so. */
  onLive?: (until: number) => void;
}

/** The end of a service's change feed, followed in memory. */
export interface FeedTail {
  readonly feed: FeedName;
  state(): FeedState;
  start(): void;
  /**
   * To be called when the service has responded while its feed is disconnected: ends the wait for the next attempt, or
   * an attempt that has been without a message for a second. The attempt that begins so, and the wait after it, have
   * their full time: a service that responds every other time would otherwise cause attempts without a pause.
   */
  reconnect(): void;
  close(): Promise<void>;
}

/** Whether the log cannot be followed from where it was: it was replaced, restored or pruned. */
function isReplacedLog(error: unknown): boolean {
  const { LOG_DIVERGED, LOG_PRUNED } = ErrorReason;
  const reason = errorInfoOf(error)?.reason;
  if (reason === LOG_DIVERGED || reason === LOG_PRUNED) return true;
  return ConnectError.from(error).code === Code.OutOfRange;
}

/**
 * Follows what a service commits, from now on or from a cursor. After a break it continues where it was, and is live
 * again once it has caught up. Where the log, or its history up to there, was replaced, as after a restored backup, it
 * begins again.
 */
export function followFeedTail(options: FeedTailOptions): FeedTail {
  const { feed, client, logger, kinds = [], onBegin, onEntries, onLive } = options;
  const stopping = new AbortController();
  const backoff = new Backoff(firstBackoffMs, maxBackoffMs);
  let cursor = options.from;
  let isLost = false;
  let behindSince: number | undefined;
  let isConnected = false;
  /** Until when its last message vouches for responses. */
  let leaseEndsAt = 0;
  let newest = 0;
  let caughtUpAt = performance.now();
  let running: Promise<void> | undefined;
  let attempt = new AbortController();
  /** Whether the attempt began by `reconnect`. */
  let isReconnecting = false;
  /** Until when `reconnect` leaves the attempt alone. */
  let attemptEndsAt = 0;

  async function* readEntries(call: CallOptions): AsyncGenerator<WatchChangesResponse> {
    isReconnecting = attempt.signal.aborted;
    attempt = new AbortController();
    attemptEndsAt = performance.now() + firstMessageMs;
    const from =
      cursor === undefined
        ? { fromNow: true }
        : { afterSequence: BigInt(cursor.sequence), afterIdentity: cursor.identity };
    const signals = [call.signal, attempt.signal].filter((signal) => signal !== undefined);
    const signal = AbortSignal.any(signals);
    for await (const message of client.watchChanges(
      { ...from, kinds: [...kinds], heartbeatMs },
      { ...call, signal },
    )) {
      apply(message);
      yield message;
    }
  }

  function apply(message: WatchChangesResponse): void {
    const { entries, newestIdentity, logId } = message;
    const known = cursor?.logId ?? "";
    if (known !== "" && logId !== known) {
      throw new ConnectError("the log was replaced", Code.OutOfRange);
    }
    newest = Number(message.newestSequence);
    // A message without entries says that nothing up to its sequence is missing.
    const last = entries.at(-1);
    const sequence = last === undefined ? newest : Number(last.sequence);
    const next = { sequence, identity: last?.identity ?? newestIdentity, logId };
    if (cursor === undefined) onBegin(next);
    else onEntries(entries, next);
    cursor = next;
    isConnected = true;
    const now = performance.now();
    // A release without heartbeats vouches for as long as the stream is open.
    const leaseMs = heartbeatsPerLease * message.heartbeatMs || Number.POSITIVE_INFINITY;
    leaseEndsAt = now + leaseMs;
    if (sequence < newest) {
      behindSince ??= now;
      if (now - behindSince > lagLimitMs) onLive?.(0);
      return;
    }
    behindSince = undefined;
    caughtUpAt = now;
    onLive?.(leaseEndsAt);
    if (isLost) logger.info({ feed }, "the feed is back");
    isLost = false;
  }

  function onBreak(err: unknown): boolean {
    if (err !== undefined) {
      if (!isLost) logger.warn({ err, feed }, "the feed broke");
      isLost = true;
      if (isReplacedLog(err)) cursor = undefined;
    }
    isConnected = false;
    leaseEndsAt = 0;
    attemptEndsAt = 0;
    onLive?.(0);
    return true;
  }

  async function run(): Promise<void> {
    const { signal } = stopping;
    const messages = followStream({ open: readEntries, silenceLimitMs, signal, backoff, onBreak });
    // Each message is applied where it is read, so that a failure to apply it counts as a break.
    for await (const _ of messages);
  }

  function state(): FeedState {
    const applied = cursor?.sequence ?? 0;
    const isHeard = performance.now() < leaseEndsAt;
    const isCaughtUp = isHeard && applied >= newest;
    return {
      isConnected: isHeard,
      position: applied,
      lagEntries: Math.max(0, newest - applied),
      lagSeconds: isCaughtUp ? 0 : (performance.now() - caughtUpAt) / 1000,
    };
  }

  return {
    feed,
    state,
    start() {
      running ??= run();
    },
    reconnect() {
      if (isConnected || isReconnecting || performance.now() < attemptEndsAt) return;
      attempt.abort();
      backoff.skip();
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}
