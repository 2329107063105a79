import { TagJournal } from "./tag-journal.ts";
import type { Client } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedState, Logger } from "@storefront/telemetry";
import { feedNames } from "@storefront/config";
import type { FeedName } from "@storefront/config";
import type { Reads } from "../tags/read-log.ts";
import { writtenTags } from "../tags/written-tags.ts";
import { followFeedTail } from "./feed-tail.ts";
import { KnownPlaces } from "./known-places.ts";
import type { Place } from "./known-places.ts";

/** Where each feed had been read to; undefined while it had not begun. */
export type Positions = Partial<Record<FeedName, Place | undefined>>;

/**
 * What is known of a response: `current` while every write to what it was made of would be known;
 * `touched` when there was one, or when it was made of a history that was lost; `unknown` when there
 * may have been.
 */
export type Verdict = "current" | "touched" | "unknown";

/** The feeds of all owner services, and what they say about responses. */
export interface FollowedFeeds {
  /** Rises with everything that may change a verdict. */
  readonly version: number;
  /** Where the feeds have been read to: taken before a response is made, it says when that was. */
  positions(): Positions;
  /**
   * @param isExcused feeds whose silence does not count; default none
   */
  judge(reads: Reads, begunAt: Positions, isExcused?: (feed: FeedName) => boolean): Verdict;
  /** Whether everything that the feed's owner commits is known at once. */
  isLive(feed: FeedName): boolean;
  /** Follows a feed that is broken again as soon as may be: its owner has answered. */
  followAgain(feed: FeedName): void;
  /**
   * Tells the logs that positions are of from any others; undefined while one of them is not known. An
   * empty log has no id and needs none: what was read of it is the same of any other empty one.
   */
  logs(): string | undefined;
  /** Where each of them stands. */
  states(): [feed: FeedName, state: FeedState][];
  start(): void;
  close(): Promise<void>;
}

interface Followed {
  journal: TagJournal;
  places: KnownPlaces;
  /** Where it has been read to; undefined before it began. */
  place: Place | undefined;
  logId: string;
  /** Until when everything that is committed is known at once; 0 when it is not. */
  liveUntil: number;
}

/** What the feeds are followed with. */
export interface FollowedFeedsDependencies {
  clients: Record<FeedName, Client<typeof FeedService>>;
  logger: Logger;
  /** A log, or its history, was replaced by another one: positions in the old one mean nothing any more. */
  onReplaced: () => void;
}

/** Follows the feeds from the moment of `start`. */
export function followFeeds({
  clients,
  logger,
  onReplaced,
}: FollowedFeedsDependencies): FollowedFeeds {
  let version = 0;
  const follow = (): Followed => ({
    journal: new TagJournal(),
    places: new KnownPlaces(),
    place: undefined,
    logId: "",
    liveUntil: 0,
  });
  const followed: Record<FeedName, Followed> = {
    catalog: follow(),
    pricing: follow(),
    reviews: follow(),
    changelog: follow(),
  };

  const tails = feedNames.map((feed) => {
    const state = followed[feed];
    const { journal, places } = state;
    return followFeedTail({
      feed,
      client: clients[feed],
      logger,
      onBegin(place) {
        if (journal.position !== undefined) onReplaced();
        journal.begin(place.sequence);
        places.begin(place);
        state.place = place;
        version++;
      },
      onLog(logId) {
        state.logId = logId;
      },
      onEntries(entries, place) {
        for (const entry of entries) {
          const sequence = Number(entry.sequence);
          journal.touch(writtenTags(entry), sequence);
          places.pass({ sequence, identity: entry.identity });
        }
        journal.advance(place.sequence);
        if (entries.length === 0) places.pass(place);
        state.place = place;
        if (entries.length > 0) version++;
      },
      onLive(until) {
        if (state.liveUntil > 0 !== until > 0) version++;
        state.liveUntil = until;
      },
    });
  });

  /** What silent feeds have vouched for is over: looked at when somebody asks, since a busy process has late timers. */
  function endLeases(): void {
    const now = performance.now();
    for (const feed of feedNames) {
      const state = followed[feed];
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
        catalog: followed.catalog.place,
        pricing: followed.pricing.place,
        reviews: followed.reviews.place,
        changelog: followed.changelog.place,
      }) satisfies Record<FeedName, Place | undefined>,
    isLive(feed) {
      endLeases();
      return followed[feed].liveUntil > 0;
    },
    followAgain(feed) {
      tails.find((tail) => tail.feed === feed)?.followAgain();
    },
    judge(reads, begunAt, isExcused = () => false) {
      endLeases();
      let verdict: Verdict = "current";
      for (const [feed, tags] of reads) {
        const { journal, places, liveUntil } = followed[feed];
        const begun = begunAt[feed];
        if (begun !== undefined && places.has(begun) === false) return "touched";
        const judged = journal.judge(tags, begun?.sequence);
        if (judged === "touched") return "touched";
        if (judged === "unknown" || !(liveUntil > 0 || isExcused(feed))) verdict = "unknown";
      }
      return verdict;
    },
    logs() {
      const states = feedNames.map((feed) => followed[feed]);
      if (states.some(({ place }) => place === undefined)) return undefined;
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
