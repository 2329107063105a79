import { feedNames } from "@storefront/config";
import type { FeedName } from "@storefront/config";
import type { WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { gone, notFound, unavailable } from "../errors/public-error.ts";
import { heartbeat, idBlock, textEventBlock } from "../http/event-blocks.ts";
import { upstreamErrorOf } from "../upstream/upstream-error.ts";
import type { CopyFeeds } from "./copy-feeds.ts";
import { writeCursor } from "./cursor.ts";
import type { FeedPlaces } from "./cursor.ts";
import { changeLine } from "./feed-line.ts";
import { inSlices } from "./in-slices.ts";
import { merge } from "./merge.ts";
import { logLossOf, watchFeed } from "./watch-feed.ts";

/** Follows what is written, for copies. */
export interface CatalogueChanges {
  /**
   * Resolves when changes can follow, with blocks of a stream of events: each write after the cursor once, those
   * of one service in their order.
   *
   * @throws TRPCError when too many follow, a service is away, or its log does not say how to go on
   */
  follow(after: FeedPlaces, signal: AbortSignal): Promise<AsyncGenerator<string | Buffer>>;
}

/** What changes are followed with. */
export interface ChangesOptions {
  feeds: CopyFeeds;
  /** How many may follow at a time: each keeps a connection to every service. */
  placesMax: number;
  /** Longest wait for the first word of a service, in milliseconds. */
  openTimeoutMs: number;
}

/** One set of watches for each who follows, no faster than who follows takes them. */
export function createChanges({
  feeds,
  placesMax,
  openTimeoutMs,
}: ChangesOptions): CatalogueChanges {
  let taken = 0;
  return {
    async follow(after, signal) {
      if (taken >= placesMax) {
        throw unavailable(`${placesMax} copies follow the changes already; try again later.`);
      }
      taken++;
      const ending = new AbortController();
      const leave = () => {
        if (ending.signal.aborted) return;
        ending.abort();
        taken--;
      };
      const stop = AbortSignal.any([signal, ending.signal]);
      signal.addEventListener("abort", leave, { once: true });
      try {
        const watches = feedNames.map((feed) => {
          const watch = { client: feeds[feed], after: after[feed], openTimeoutMs, signal: stop };
          return opened(feed, watchFeed(watch));
        });
        const sources = new Map(await Promise.all(watches));
        return blocksOf(after, sources, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** A watch whose first message has come. */
async function opened(
  feed: FeedName,
  watch: AsyncGenerator<WatchChangesResponse>,
): Promise<[FeedName, AsyncGenerator<WatchChangesResponse>]> {
  try {
    const first = await watch.next();
    return [feed, beginningWith(first, watch)];
  } catch (error) {
    throw publicOf(feed, error);
  }
}

async function* beginningWith<Message>(
  first: IteratorResult<Message, unknown>,
  rest: AsyncGenerator<Message>,
): AsyncGenerator<Message> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

async function* blocksOf(
  after: FeedPlaces,
  sources: ReadonlyMap<FeedName, AsyncGenerator<WatchChangesResponse>>,
  leave: () => void,
): AsyncGenerator<string | Buffer> {
  const places = { ...after };
  try {
    // So that a client that comes back before its first event says where it was.
    yield idBlock(writeCursor(places)) + heartbeat;
    for await (const { name, message } of merge(sources)) {
      if (message.entries.length === 0) yield heartbeat;
      const events = inSlices(message.entries, (entry) => {
        places[name] = { sequence: entry.sequence, identity: entry.identity };
        return textEventBlock(writeCursor(places), changeLine(entry).trimEnd());
      });
      for await (const blocks of events) yield blocks.join("");
    }
  } finally {
    leave();
  }
}

function publicOf(feed: FeedName, error: unknown): unknown {
  switch (logLossOf(error)) {
    case "pruned":
      return gone(
        "The changes after this cursor are no longer kept; begin again with a new snapshot.",
      );
    case "other history":
      return notFound(
        "Cursor not found: it is of a history that was lost, or of another catalogue; begin anew with a snapshot.",
      );
    default:
      return upstreamErrorOf(feed, error);
  }
}
