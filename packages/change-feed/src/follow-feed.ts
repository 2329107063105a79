import { setTimeout as sleep } from "node:timers/promises";
import { FeedConsumer } from "./feed-consumer.ts";
import { FeedLag } from "./feed-lag.ts";
import type { FeedFollower, FollowOptions } from "./follow-options.ts";

const firstBackoffMs = 100;
const maxBackoffMs = 5_000;

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
