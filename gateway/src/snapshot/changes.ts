import { feedNames } from "@storefront/process";
import type { FeedName } from "@storefront/process";
import type { WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { unavailable } from "../errors/public-error.ts";
import { heartbeat, idBlock, textEventBlock } from "../http/event-blocks.ts";
import { writeCursor } from "./cursor.ts";
import type { FeedPositions } from "./cursor.ts";
import { changeLine, textInSlices } from "./feed-line.ts";
import { watchFeed } from "./watch-feed.ts";
import type { CopyFeeds } from "./watch-feed.ts";

export interface CatalogueChanges {
  /**
   * Resolves when changes can follow, with blocks of a stream of events: each write after the cursor once, those
   * of one service in their order, no faster than the blocks are read.
   *
   * @param signal aborted when the stream ends, in whatever way
   * @throws TRPCError when too many follow, a service is unavailable, or its log does not continue the cursor
   */
  follow(after: FeedPositions, signal: AbortSignal): Promise<AsyncGenerator<string>>;
}

interface ChangesOptions {
  feeds: CopyFeeds;
  /** How many may follow at a time: each has a connection to every service. */
  followersMax: number;
  /** Longest wait for the first message of a service, in milliseconds. */
  openTimeoutMs: number;
}

/** Watches every feed once for each follower. */
export function createChanges(options: ChangesOptions): CatalogueChanges {
  const { feeds, followersMax, openTimeoutMs } = options;
  let followerCount = 0;
  return {
    async follow(after, signal) {
      signal.throwIfAborted();
      if (followerCount >= followersMax) {
        throw unavailable(
          `The maximum of ${followersMax} copies already follow the changes; try again later.`,
        );
      }
      followerCount++;
      signal.addEventListener("abort", () => followerCount--, { once: true });
      const steps = new Map<FeedName, Promise<Step>>();
      for (const feed of feedNames) {
        const watch = watchFeed({ feeds, feed, after: after[feed], openTimeoutMs, signal });
        steps.set(feed, nextStep(feed, watch));
      }
      await Promise.all(steps.values());
      return blocksOf(after, steps);
    },
  };
}

/** The next message of a feed. */
interface Step {
  feed: FeedName;
  watch: AsyncGenerator<WatchChangesResponse>;
  result: IteratorResult<WatchChangesResponse, unknown>;
}

function nextStep(feed: FeedName, watch: Step["watch"]): Promise<Step> {
  const step = watch.next().then((result) => ({ feed, watch, result }));
  // It may fail while a slow client has not asked for it yet.
  step.catch(() => undefined);
  return step;
}

/** Blocks of the feeds' messages as they come; of each feed one message is read ahead. */
async function* blocksOf(
  after: FeedPositions,
  steps: Map<FeedName, Promise<Step>>,
): AsyncGenerator<string> {
  const positions = { ...after };
  // A client that reconnects before its first event thus names its cursor.
  yield idBlock(writeCursor(positions)) + heartbeat;
  for (;;) {
    // Every feed has a message every few seconds, so no race waits for long.
    const { feed, watch, result } = await Promise.race(steps.values());
    if (result.done === true) return;
    // To the end of the race, so that a busy feed does not hold up the others.
    steps.delete(feed);
    steps.set(feed, nextStep(feed, watch));
    const { entries } = result.value;
    if (entries.length === 0) yield heartbeat;
    yield* textInSlices(entries, (entry) => {
      positions[feed] = { sequence: entry.sequence, identity: entry.identity };
      return textEventBlock(writeCursor(positions), changeLine(entry).trimEnd());
    });
  }
}
