import type { Client } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedState, Logger } from "@storefront/telemetry";
import { feedNames } from "@storefront/config";
import type { FeedName } from "@storefront/config";
import type { Reads } from "../tags/read-log.ts";
import { writtenTags } from "../tags/written-tags.ts";
import { FeedJournal } from "./feed-journal.ts";
import type { FeedPosition } from "./feed-journal.ts";
import { followFeedTail } from "./feed-tail.ts";
import type { FeedTail } from "./feed-tail.ts";

/** Up to where each feed had been read; undefined while it had not begun. */
export type Positions = Partial<Record<FeedName, FeedPosition | undefined>>;

/**
 * What the feeds say of a response: `current` while every write to what it was made of would be known; `touched` when
 * there was one, or when it was made of a history that was lost; `unknown` when there may have been.
 */
export type Verdict = "current" | "touched" | "unknown";

/** The feeds of all owner services, and what they say of responses. */
export interface FollowedFeeds {
  /** Rises with everything that may change a verdict. */
  readonly version: number;
  /** Up to where the feeds have been read: to be taken before a response is made. */
  positions(): Positions;
  /** @param isExcused feeds whose silence does not count; default none */
  judge(reads: Reads, begunAt: Positions, isExcused?: (feed: FeedName) => boolean): Verdict;
  /** Whether everything that the feed's owner commits is known at once. */
  isLive(feed: FeedName): boolean;
  /** To be called when the owner of a feed that is not live has responded; see {@link FeedTail.reconnect}. */
  reconnect(feed: FeedName): void;
  /**
   * Identifies the logs that positions are of; undefined while one of them is not known. An empty log has no id and
   * needs none: what was read of it is the same of any other empty one.
   */
  logs(): string | undefined;
  states(): [feed: FeedName, state: FeedState][];
  start(): void;
  close(): Promise<void>;
}

interface Followed {
  readonly journal: FeedJournal;
  logId: string;
  /** Until when it vouches for responses, on the clock of `performance.now()`; 0 while it does not. */
  liveUntil: number;
}

/** What the feeds are followed with. */
export interface FollowedFeedsDependencies {
  clients: Record<FeedName, Client<typeof FeedService>>;
  logger: Logger;
  /** A log, or its history, was replaced: positions in the old one mean nothing any more. */
  onReplaced: () => void;
}

/** Follows the feeds from the moment of `start`. */
export function followFeeds({
  clients,
  logger,
  onReplaced,
}: FollowedFeedsDependencies): FollowedFeeds {
  let version = 0;
  const newFollowed = (): Followed => ({ journal: new FeedJournal(), logId: "", liveUntil: 0 });
  const followed: Record<FeedName, Followed> = {
    catalog: newFollowed(),
    pricing: newFollowed(),
    reviews: newFollowed(),
    changelog: newFollowed(),
  };

  function follow(feed: FeedName): FeedTail {
    const state = followed[feed];
    const { journal } = state;
    return followFeedTail({
      feed,
      client: clients[feed],
      logger,
      onBegin(cursor) {
        if (journal.position !== undefined) onReplaced();
        journal.begin(cursor);
        state.logId = cursor.logId;
        version++;
      },
      onEntries(entries, cursor) {
        for (const entry of entries) {
          const { sequence, identity } = entry;
          journal.advance({ sequence: Number(sequence), identity }, writtenTags(entry));
        }
        if (entries.length === 0) journal.advance(cursor, []);
        else version++;
        state.logId = cursor.logId;
      },
      onLive(until) {
        if (state.liveUntil > 0 !== until > 0) version++;
        state.liveUntil = until;
      },
    });
  }

  const states = Object.values(followed);
  const tails = feedNames.map(follow);

  /** Ends the leases of silent feeds: at each use, since timers of a busy process are late. */
  function endLeases(): void {
    const now = performance.now();
    for (const state of states) {
      if (state.liveUntil === 0 || now < state.liveUntil) continue;
      state.liveUntil = 0;
      version++;
    }
  }

  return {
    get version() {
      endLeases();
      return version;
    },
    positions: () =>
      ({
        catalog: followed.catalog.journal.position,
        pricing: followed.pricing.journal.position,
        reviews: followed.reviews.journal.position,
        changelog: followed.changelog.journal.position,
      }) satisfies Record<FeedName, FeedPosition | undefined>,
    isLive(feed) {
      endLeases();
      return followed[feed].liveUntil > 0;
    },
    reconnect(feed) {
      tails.find((tail) => tail.feed === feed)?.reconnect();
    },
    judge(reads, begunAt, isExcused = () => false) {
      endLeases();
      let verdict: Verdict = "current";
      for (const [feed, tags] of reads) {
        const { journal, liveUntil } = followed[feed];
        const judged = journal.judge(tags, begunAt[feed]);
        if (judged === "touched") return "touched";
        if (judged === "unknown" || !(liveUntil > 0 || isExcused(feed))) verdict = "unknown";
      }
      return verdict;
    },
    logs() {
      if (states.some(({ journal }) => journal.position === undefined)) return undefined;
      return states.map(({ logId }) => logId).join(" ");
    },
    states: () => tails.map((tail) => [tail.feed, tail.state()]),
    start() {
      for (const tail of tails) tail.start();
    },
    async close() {
      await Promise.all(tails.map((tail) => tail.close()));
    },
  };
}
