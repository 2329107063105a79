import { createClient } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { Backoff } from "@storefront/rpc";
import { FeedConsumer } from "./feed-consumer.ts";
import { FeedCursor } from "./feed-cursor.ts";
import type { FeedFollower } from "./feed-follower.ts";
import { FeedLag } from "./feed-lag.ts";
import { FeedLease, LeaseLostError } from "./feed-lease.ts";
import type { FollowOptions } from "./follow-options.ts";
import { Quarantine } from "./quarantine.ts";
import { rebuildProjection } from "./rebuild-projection.ts";
import { retryQuarantined } from "./retry-quarantined.ts";
import { SnapshotProgressStore } from "./snapshot-progress.ts";
import { standBy } from "./stand-by.ts";
import { TakeOver } from "./take-over.ts";

/** Quarantined entries that are described one by one. */
const maxDescribed = 100;

const firstBackoffMs = 100;
const maxBackoffMs = 5_000;

/** With the grace of what is due, another process goes on within 5 s. */
const defaultLeaseMs = 3_000;

/**
 * Follows the feed of another service and applies each of its entries exactly once, in order,
 * whatever is restarted: the cursor moves in the transaction of what it stands for. Of several processes
 * with one cursor one applies the feed; the others stand by, and one of them takes over when it ends.
 */
export function followFeed(options: FollowOptions): FeedFollower {
  const { feed, logger, metrics, projectionVersion, leaseMs = defaultLeaseMs } = options;
  const { database, schema, transport, cursorName = feed } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lag = new FeedLag();
  const newLease = () =>
    new FeedLease({ ...options, feed: cursorName, projectionVersion, leaseMs });
  const lease = newLease();
  const takeOver = new TakeOver(projectionVersion);
  const quarantine = new Quarantine(schema, cursorName);
  const cursor = new FeedCursor(database, schema, cursorName);
  const snapshots = new SnapshotProgressStore(schema, cursorName);
  const client = createClient(FeedService, transport);
  const parts = { options, client, cursor, lease, quarantine, lag, snapshots, signal };
  const consumer = new FeedConsumer(parts);
  let running: Promise<void> | undefined;
  let rebuilds = 0;
  /** Ends what is under way, so that the follower looks anew at who applies the feed, and from where. */
  let turn = new AbortController();
  metrics?.addResynchronisation(feed, () => consumer.isResynchronising || rebuilds > 0);
  metrics?.add(feed, () => ({
    ...lag.state(),
    isLeading: lease.isHeld,
    quarantined: quarantine.size,
  }));

  async function follow(onProgress: () => void): Promise<void> {
    if (!lease.isHeld) {
      await standBy(parts, takeOver, AbortSignal.any([signal, turn.signal]));
      if (lease.isHeld) logger.info({ feed }, "applies the feed");
    }
    if (lease.isHeld) await consumer.consume(onProgress, turn.signal);
  }

  async function run(): Promise<void> {
    const backoff = new Backoff(firstBackoffMs, maxBackoffMs);
    while (!signal.aborted) {
      try {
        await follow(() => backoff.reset());
        logger.info({ feed }, "the feed ended");
      } catch (err) {
        if (signal.aborted) break;
        if (turn.signal.aborted) {
          turn = new AbortController();
          continue;
        }
        if (err instanceof LeaseLostError) {
          logger.info({ feed }, "stands by: another process applies the feed");
          continue;
        }
        logger.warn({ err, feed }, "the feed broke");
      }
      lag.disconnected();
      await backoff.wait(signal);
    }
    if (!lease.isHeld) return;
    await lease.giveBack().catch((err: unknown) => {
      // Others take it all the same, when it has expired.
      logger.warn({ err, feed }, "the lease cannot be given back");
    });
  }

  return {
    start() {
      running ??= run();
    },
    async probe() {
      const current = lag.current();
      if (current === undefined) throw new Error(`the feed of ${feed} is not connected`);
      const { isOutdated } = takeOver;
      return { ...current, quarantinedEntries: BigInt(quarantine.size), isOutdated };
    },
    async describe() {
      const state = await lease.look();
      await quarantine.count(database);
      const quarantined = await quarantine.list(database, maxDescribed);
      const quarantinedEntries = quarantine.size;
      return { ...state, ownVersion: projectionVersion, quarantinedEntries, quarantined };
    },
    async rebuild(broken) {
      rebuilds++;
      const ended = AbortSignal.any([signal, broken]);
      try {
        const alone = { ...parts, lease: newLease(), signal: ended };
        await rebuildProjection(alone);
      } finally {
        rebuilds--;
        turn.abort();
      }
    },
    retryQuarantined: () => retryQuarantined(parts),
    async close() {
      stopping.abort();
      await running;
    },
  };
}
