import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type {
  FeedEntry,
  FeedService,
  WatchChangesResponse,
} from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import type { FeedState, Logger } from "@storefront/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import type { FeedName } from "@storefront/config";
import { watched } from "../upstream/watched.ts";
import type { FeedPosition } from "./feed-journal.ts";

const firstBackoffMs = 50;
// A gateway whose feeds are away stores responses for too short a time to be of much use: it looks often.
const maxBackoffMs = 1000;

/**
 * Longest wait for a message, in milliseconds: releases that know of no shorter heartbeat promise one every 5 s. After it
 * the stream is begun again.
 */
const silenceLimitMs = 7000;

/** The heartbeat that is asked for. */
const heartbeatMs = 250;

/**
 * So many heartbeats after a message it vouches for nothing any more, after 750 ms. A service may see the commit of its
 * other replica 200 ms late, and a write shows within a second.
 */
const heartbeatsPerLease = 3;

/** How long an attempt may take for its first message before it is given up because the service has answered. */
const firstMessageMs = 1000;

/** How long entries may be on their way, as many are in an import, before writes show too late. */
const lagLimitMs = 500;

/** A place in a log that was followed before. */
export interface FeedCursor extends FeedPosition {
  /** Tells the log from any other; empty while that was empty. */
  readonly logId: string;
}

/** What is followed, and who is told. */
export interface FeedTailOptions {
  feed: FeedName;
  client: Client<typeof FeedService>;
  logger: Logger;
  /** Where following goes on; default: what is committed from now on. */
  from?: FeedCursor | undefined;
  /** Following begins here, without any knowledge of what was before. */
  onBegin: (position: FeedPosition) => void;
  /** The log has this id, which tells it from any other; empty while the log is. */
  onLog: (logId: string) => void;
  /** Entries in order; nothing before `position` is missing then. */
  onEntries: (entries: readonly FeedEntry[], position: FeedPosition) => void;
  /** Everything that is committed is known at once, until then on the clock of `performance.now()`. */
  onLive: (until: number) => void;
}

/** The end of a service's change feed, followed in memory. */
export interface FeedTail {
  readonly feed: FeedName;
  state(): FeedState;
  start(): void;
  /**
   * Its service has answered. Ends the wait for the next attempt, or an attempt that nothing has come of for a
   * second. The attempt that begins so, and the wait after it, last as long as they do by themselves: where a
   * service answers every other time, none would come to its first message, and they would follow one another
   * without a pause. If the feed is followed it does nothing.
   */
  followAgain(): void;
  close(): Promise<void>;
}

/** The place that was reached was of another log than the present one. */
class ReplacedLogError extends Error {
  override readonly name = "ReplacedLogError";
}

/** Whether there is no going on from where it was: the history is another one, or not kept so long. */
function isOfReplacedLog(error: unknown): boolean {
  if (error instanceof ReplacedLogError) return true;
  const { LOG_DIVERGED, LOG_PRUNED } = ErrorReason;
  const reason = errorInfoOf(error)?.reason;
  if (reason === LOG_DIVERGED || reason === LOG_PRUNED) return true;
  return ConnectError.from(error).code === Code.OutOfRange;
}

/**
 * Follows what a service commits, from now on or from a cursor. After an interruption it goes on where it was, and is
 * live again once it has caught up; where the log, or its history up to there, is another one than
 * before, as after a restored backup, it begins anew.
 */
export function followFeedTail(options: FeedTailOptions): FeedTail {
  const { feed, logger, from } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let position = from && BigInt(from.sequence);
  let identity = from?.identity ?? "";
  let knownLog = from?.logId ?? "";
  let backoffMs = firstBackoffMs;
  let isLost = false;
  let behindSince: number | undefined;
  let isConnected = false;
  /** Until when its last message vouches for something. */
  let leaseEndsAt = 0;
  let newest = 0n;
  let caughtUpAt = performance.now();
  let running: Promise<void> | undefined;
  let attempt = new AbortController();
  /** Whether it began because the service had answered. */
  let isHurried = false;
  /** Until when an attempt is left alone if that answers. */
  let leftAloneUntil = 0;

  async function readStream(): Promise<void> {
    const request =
      position === undefined
        ? { fromNow: true, heartbeatMs }
        : { afterSequence: position, afterIdentity: identity, heartbeatMs };
    const messages = watched((call) => options.client.watchChanges(request, call), {
      openTimeoutMs: silenceLimitMs,
      silenceLimitMs,
      signal: AbortSignal.any([signal, attempt.signal]),
    });
    for await (const message of messages) {
      take(message);
      backoffMs = firstBackoffMs;
    }
  }

  function take(message: WatchChangesResponse): void {
    const { entries, newestSequence, newestIdentity, logId } = message;
    if (knownLog !== "" && logId !== knownLog) throw new ReplacedLogError();
    if (position === undefined || logId !== knownLog) options.onLog(logId);
    knownLog = logId;
    // A message without entries says that nothing up to its sequence is missing.
    const last = entries.at(-1);
    const through = last?.sequence ?? newestSequence;
    identity = last?.identity ?? newestIdentity;
    const place = { sequence: Number(through), identity };
    if (position === undefined) options.onBegin(place);
    else options.onEntries(entries, place);
    position = through;
    isConnected = true;
    newest = newestSequence;
    const now = performance.now();
    // What promises no heartbeat vouches for as long as it is open.
    const leaseMs = heartbeatsPerLease * message.heartbeatMs || Number.POSITIVE_INFINITY;
    leaseEndsAt = now + leaseMs;
    if (through < newestSequence) {
      behindSince ??= now;
      if (now - behindSince > lagLimitMs) options.onLive(0);
      return;
    }
    behindSince = undefined;
    caughtUpAt = now;
    options.onLive(leaseEndsAt);
    if (isLost) logger.info({ feed }, "the feed is back");
    isLost = false;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      isHurried = attempt.signal.aborted;
      attempt = new AbortController();
      leftAloneUntil = performance.now() + firstMessageMs;
      try {
        await readStream();
      } catch (err) {
        if (signal.aborted) break;
        if (!isLost) logger.warn({ err, feed }, "the feed broke");
        isLost = true;
        if (isOfReplacedLog(err)) {
          position = undefined;
          knownLog = "";
        }
      }
      isConnected = false;
      leaseEndsAt = 0;
      leftAloneUntil = 0;
      options.onLive(0);
      // Spread, so that the gateways behind a restarted service do not come back at one moment.
      const delayMs = backoffMs * (0.5 + Math.random() / 2);
      const ended = AbortSignal.any([signal, attempt.signal]);
      // Rejects only when it is to end, which the loop looks for, or to go on at once.
      await sleep(delayMs, undefined, { signal: ended }).catch(() => undefined);
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
    }
  }

  function state(): FeedState {
    const applied = position ?? 0n;
    const isHeard = performance.now() < leaseEndsAt;
    const isCaughtUp = isHeard && applied >= newest;
    return {
      isConnected: isHeard,
      position: Number(applied),
      lagEntries: applied >= newest ? 0 : Number(newest - applied),
      lagSeconds: isCaughtUp ? 0 : (performance.now() - caughtUpAt) / 1000,
    };
  }

  return {
    feed,
    state,
    start() {
      running ??= run();
    },
    followAgain() {
      if (isConnected || isHurried || performance.now() < leftAloneUntil) return;
      attempt.abort();
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}
