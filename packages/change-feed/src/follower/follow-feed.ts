import { Code, createClient } from "@connectrpc/connect";
import { outsideCalls } from "@storefront/process";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { Backoff, ServiceError } from "@storefront/rpc";
import { FeedConsumer } from "./feed-consumer.ts";
import { FeedCursor, SnapshotProgressStore } from "./feed-cursor.ts";
import { FeedLag } from "./feed-lag.ts";
import { FeedLease, LeaseLostError } from "./feed-lease.ts";
import { Quarantine } from "./quarantine.ts";
import { Resynchroniser } from "./resynchroniser.ts";
import { retryQuarantined } from "./entry-applier.ts";
import { standBy, TakeOver } from "./stand-by.ts";
import type { FeedFollower, FollowerParts, FollowOptions } from "./follow-options.ts";

/** Limit of listed quarantined entries. */
const maxDescribed = 100;

const firstBackoffMs = 100;
const maxBackoffMs = 5_000;

/** Including the grace period, another process takes over within 5 s. */
const defaultLeaseMs = 3_000;

/**
 * Follows the feed of another service and applies each entry exactly once, in order, across restarts: the
 * cursor advances in the transaction that applies the entries. Of the processes that share a cursor, one
 * applies the feed; the others are on stand-by.
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
  /** Aborted to make the follower check again which process applies the feed, and from where. */
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
      // Other processes can take it after it expires.
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
    async rebuild(requested) {
      rebuilds++;
      const ended = AbortSignal.any([signal, requested]);
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

/**
 * Rebuilds the follower's data and retries its quarantined entries; no-op without `rebuild` and `snapshot`.
 * After an interruption the feed is followed from its cursor, and its holder resumes the snapshot.
 *
 * @throws ServiceError ABORTED, REBUILD_TAKEN_OVER, when a newer version or another rebuild has begun.
 */
async function rebuildProjection(parts: FollowerParts): Promise<void> {
  const { options, cursor, lease, signal } = parts;
  const { rebuild, snapshot } = options;
  if (rebuild === undefined && snapshot === undefined) return;
  await lease.seize();
  try {
    if (rebuild === undefined) await new FeedConsumer(parts).rebuild();
    else await new Resynchroniser(parts).run(rebuild, "asked", await cursor.read());
    signal.throwIfAborted();
    await retryQuarantined(parts);
  } catch (error) {
    throw error instanceof LeaseLostError ? takenOver(options.feed, error) : error;
  } finally {
    // Also after the requesting call has ended.
    await outsideCalls(() => lease.giveBack());
  }
}

function takenOver(feed: string, cause: LeaseLostError): ServiceError {
  return new ServiceError({
    code: Code.Aborted,
    reason: ErrorReason.REBUILD_TAKEN_OVER,
    message: `another process or rebuild applies the feed of ${feed} now`,
    metadata: { feed },
    cause,
  });
}
