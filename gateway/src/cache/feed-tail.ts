import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type {
  FeedEntry,
  FeedService,
  WatchChangesResponse,
} from "@storefront/contracts/feed/v1/feed_service";
import type { FeedState, Logger } from "@storefront/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import type { FeedName } from "./feed-name.ts";

const firstBackoffMs = 50;
// A gateway whose feeds are away keeps answers too short to be of much use: it looks often.
const maxBackoffMs = 1000;

// The services promise a message every 5 s.
const silenceLimitMs = 7000;

/** How long entries may be on their way, as many are in an import, before writes show too late. */
const lagLimitMs = 500;

/** What is followed, and who is told. */
export interface FeedTailOptions {
  feed: FeedName;
  client: Client<typeof FeedService>;
  logger: Logger;
  /** Following begins at this sequence, without any knowledge of what was before. */
  onBegin: (sequence: number) => void;
  /** The log has this id, which tells it from any other; empty while the log is. */
  onLog: (logId: string) => void;
  /** Entries in order; nothing before `sequence` is missing then. */
  onEntries: (entries: readonly FeedEntry[], sequence: number) => void;
  /** Whether everything that is committed is known at once, from now on. */
  onLive: (isLive: boolean) => void;
}

/** The end of a service's change feed, followed in memory. */
export interface FeedTail {
  readonly feed: FeedName;
  state(): FeedState;
  start(): void;
  close(): Promise<void>;
}

/** A sequence was of another log than the present one. */
class ReplacedLogError extends Error {
  override readonly name = "ReplacedLogError";
}

function isOfReplacedLog(error: unknown): boolean {
  if (error instanceof ReplacedLogError) return true;
  return ConnectError.from(error).code === Code.OutOfRange;
}

/**
 * Follows what a service commits from now on. After an interruption it goes on where it was, and is
 * live again once it has caught up; where the log is another one than before it begins anew.
 */
export function followFeedTail(options: FeedTailOptions): FeedTail {
  const { feed, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let position: bigint | undefined;
  let knownLog = "";
  let backoffMs = firstBackoffMs;
  let isLost = false;
  let behindSince: number | undefined;
  let isConnected = false;
  let newest = 0n;
  let caughtUpAt = performance.now();
  let running: Promise<void> | undefined;

  async function readStream(): Promise<void> {
    const silence = new AbortController();
    const startTimer = () => setTimeout(() => silence.abort(), silenceLimitMs);
    let timer = startTimer();
    const request = position === undefined ? { fromNow: true } : { afterSequence: position };
    const callOptions = { signal: AbortSignal.any([signal, silence.signal]), timeoutMs: 0 };
    try {
      for await (const message of options.client.watchChanges(request, callOptions)) {
        clearTimeout(timer);
        timer = startTimer();
        take(message);
        backoffMs = firstBackoffMs;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  function take({ entries, newestSequence, logId }: WatchChangesResponse): void {
    if (knownLog !== "" && logId !== knownLog) throw new ReplacedLogError();
    if (logId !== knownLog) options.onLog(logId);
    knownLog = logId;
    // A message without entries says that nothing up to its sequence is missing.
    const through = entries.at(-1)?.sequence ?? newestSequence;
    if (position === undefined) options.onBegin(Number(through));
    else options.onEntries(entries, Number(through));
    position = through;
    isConnected = true;
    newest = newestSequence;
    if (through < newestSequence) {
      behindSince ??= performance.now();
      if (performance.now() - behindSince > lagLimitMs) options.onLive(false);
      return;
    }
    behindSince = undefined;
    caughtUpAt = performance.now();
    options.onLive(true);
    if (isLost) logger.info({ feed }, "the feed is back");
    isLost = false;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
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
      options.onLive(false);
      // Spread, so that the gateways behind a restarted service do not come back at one moment.
      const delayMs = backoffMs * (0.5 + Math.random() / 2);
      // Rejects only when it is to end, which the loop looks for.
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
    }
  }

  function state(): FeedState {
    const applied = position ?? 0n;
    const isCaughtUp = isConnected && applied >= newest;
    return {
      isConnected,
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
    async close() {
      stopping.abort();
      await running;
    },
  };
}
