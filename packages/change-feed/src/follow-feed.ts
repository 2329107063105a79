import { createClient } from "@connectrpc/connect";
import type { Client, Transport } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry, WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Transaction } from "@storefront/database";
import type { Logger } from "@storefront/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import { FeedCursor } from "./feed-cursor.ts";
import { FeedLag } from "./feed-lag.ts";
import type { Lag } from "./feed-lag.ts";
import type { FeedMetrics } from "./feed-metrics.ts";
import { inBursts } from "./in-bursts.ts";
import { maxBatchEntries } from "./log-source.ts";
import { withIdleLimit } from "./with-idle-limit.ts";

const firstBackoffMs = 100;
const maxBackoffMs = 5_000;

/** Messages that may wait for the transaction under way. */
const maxBurstMessages = 32;

/** Three heartbeats may be late, none may be lost for ever. */
const defaultIdleLimitMs = 15_000;

/** What follows which feed, and where it keeps its cursor. */
export interface FollowOptions {
  /** Name of the feed, that of its service: `catalog`. The cursor is kept under it. */
  readonly feed: string;
  /** How the feed's service is called. The caller closes it, after the follower. */
  readonly transport: Transport;
  /** Only entries of these kinds; default all. */
  readonly kinds?: readonly string[];
  /** Where the follower writes. */
  readonly database: Database;
  /** Schema with the table `feed_cursor`; see {@link FeedCursor}. */
  readonly schema: string;
  /**
   * Applies entries, oldest first, at most 1,000, in the transaction that moves the cursor: each is
   * committed exactly once. May run again with the same entries after a rollback; must use nothing
   * but the transaction. When it rejects, the entries are tried again, for ever.
   */
  readonly apply: (tx: Transaction, entries: readonly FeedEntry[]) => Promise<void>;
  /** Called after each commit of entries. */
  readonly onCommitted?: () => void;
  readonly logger: Logger;
  readonly metrics?: FeedMetrics | undefined;
  /** A stream that is silent for this long is given up; default 15 s. */
  readonly idleLimitMs?: number;
}

/** A consumer of a feed. */
export interface FeedFollower {
  /** Begins to follow, once the database is migrated; reconnects for ever. */
  start(): void;
  /** For health: how far behind it is. Rejects while the feed is not connected. */
  probe(): Promise<Lag>;
  /** Lets the transaction under way end, then stops. */
  close(): Promise<void>;
}

/**
 * Follows the feed of another service and applies each of its entries exactly once, in order,
 * whatever is restarted: the cursor moves in the transaction of what it stands for. Several
 * processes may follow with one cursor; each entry is applied by one of them.
 */
export function followFeed(options: FollowOptions): FeedFollower {
  const { feed, logger, metrics } = options;
  const stopping = new AbortController();
  const lag = new FeedLag();
  const consumer = new FeedConsumer(options, lag, stopping.signal);
  let running: Promise<void> | undefined;
  metrics?.add(feed, () => lag.state());

  async function run(): Promise<void> {
    let backoffMs = firstBackoffMs;
    while (!stopping.signal.aborted) {
      try {
        await consumer.consume(() => (backoffMs = firstBackoffMs));
        logger.info({ feed }, "the feed ended");
      } catch (err) {
        if (stopping.signal.aborted) return;
        logger.warn({ err, feed, backoffMs }, "the feed broke");
      }
      lag.disconnected();
      // Spread, so that the followers of a restarted service do not come back at one moment.
      const delayMs = backoffMs * (0.5 + Math.random() / 2);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
    }
  }

  return {
    start() {
      running ??= run();
    },
    async probe() {
      const current = lag.current();
      if (current === undefined) throw new Error(`the feed of ${feed} is not connected`);
      return current;
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Reads one stream after the other and applies what comes. */
class FeedConsumer {
  readonly #options: FollowOptions;
  readonly #client: Client<typeof FeedService>;
  readonly #cursor: FeedCursor;
  readonly #lag: FeedLag;
  readonly #signal: AbortSignal;

  constructor(options: FollowOptions, lag: FeedLag, signal: AbortSignal) {
    this.#options = options;
    this.#client = createClient(FeedService, options.transport);
    this.#cursor = new FeedCursor(options.database, options.schema, options.feed);
    this.#lag = lag;
    this.#signal = signal;
  }

  /** Resolves when the service ends the stream; rejects when it breaks or applying fails. */
  async consume(onProgress: () => void): Promise<void> {
    const { kinds = [], idleLimitMs = defaultIdleLimitMs } = this.#options;
    let position = await this.#cursor.read();
    const done = new AbortController();
    const messages = withIdleLimit(
      (signal) =>
        this.#client.watchChanges(
          { afterSequence: position, kinds: [...kinds] },
          { signal, timeoutMs: 0 },
        ),
      idleLimitMs,
      AbortSignal.any([this.#signal, done.signal]),
    );
    try {
      for await (const burst of inBursts(messages, isFull)) {
        const entries = burst.flatMap((message) => message.entries);
        const newestSequence = burst.at(-1)?.newestSequence ?? position;
        this.#lag.received(entries, newestSequence);
        // A heartbeat says that nothing up to its sequence is missing, of whatever kind.
        const isComplete = burst.at(-1)?.entries.length === 0;
        const through = isComplete ? newestSequence : (entries.at(-1)?.sequence ?? position);
        position = await this.#apply(entries, through, position);
        this.#lag.applied(position, entries);
        onProgress();
        if (this.#signal.aborted) return;
      }
    } finally {
      done.abort();
    }
  }

  /** Applies entries and moves the cursor from `position` to `through`, which it gives. */
  async #apply(entries: readonly FeedEntry[], through: bigint, position: bigint): Promise<bigint> {
    if (through <= position) return position;
    const { database, apply, feed, metrics, onCommitted } = this.#options;
    const fresh = await database.transaction(async (tx) => {
      const stored = await this.#cursor.lock(tx);
      // Only a cursor that went back, as by a restored backup, can be behind: read the feed again.
      if (stored < position) throw new Error(`the cursor of ${feed} went back to ${stored}`);
      // Another process with the same cursor may have been faster.
      const missing = entries.filter(({ sequence }) => sequence > stored);
      if (missing.length > 0) await apply(tx, missing);
      if (through > stored) await this.#cursor.advance(tx, through);
      return missing.length;
    });
    if (fresh > 0) {
      metrics?.countApplied(feed, fresh);
      onCommitted?.();
    }
    return through;
  }
}

/** Enough for one transaction: a message has up to a mebibyte, or one entry that is larger. */
function isFull(burst: readonly WatchChangesResponse[]): boolean {
  const entryCount = burst.reduce((count, { entries }) => count + entries.length, 0);
  return entryCount >= maxBatchEntries || burst.length >= maxBurstMessages;
}
