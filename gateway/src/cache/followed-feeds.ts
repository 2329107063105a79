import { TagJournal } from "@storefront/cache";
import type { Client } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedState, Logger } from "@storefront/telemetry";
import { feedNames } from "./feed-name.ts";
import type { FeedName } from "./feed-name.ts";
import { followFeedTail } from "./feed-tail.ts";
import type { Reads } from "./read-log.ts";
import { writtenTags } from "./written-tags.ts";

/** Where each feed had been read to; undefined while it had not begun. */
export type Positions = Partial<Record<FeedName, number | undefined>>;

/**
 * What is known of an answer: `current` while every write to what it was made of would be known;
 * `touched` when there was one; `unknown` when there may have been.
 */
export type Verdict = "current" | "touched" | "unknown";

/** The feeds of all owner services, and what they say about answers. */
export interface FollowedFeeds {
  /** Rises with everything that may change a verdict. */
  readonly version: number;
  /** Where the feeds have been read to: taken before an answer is made, it says when that was. */
  positions(): Positions;
  judge(reads: Reads, begunAt: Positions): Verdict;
  /** Tells the logs that positions are of from any others; undefined while one of them is not known. */
  logs(): string | undefined;
  /** Where each of them stands. */
  states(): [feed: FeedName, state: FeedState][];
  start(): void;
  close(): Promise<void>;
}

interface Followed {
  journal: TagJournal;
  logId: string;
  isLive: boolean;
}

/** What the feeds are followed with. */
export interface FollowedFeedsDependencies {
  clients: Record<FeedName, Client<typeof FeedService>>;
  logger: Logger;
  /** A log was replaced by another one: positions in the old one mean nothing any more. */
  onReplaced: () => void;
}

/** Follows the feeds from the moment of `start`. */
export function followFeeds({
  clients,
  logger,
  onReplaced,
}: FollowedFeedsDependencies): FollowedFeeds {
  let version = 0;
  const follow = (): Followed => ({ journal: new TagJournal(), logId: "", isLive: false });
  const followed: Record<FeedName, Followed> = {
    catalog: follow(),
    pricing: follow(),
    reviews: follow(),
    changelog: follow(),
  };

  const tails = feedNames.map((feed) => {
    const state = followed[feed];
    const { journal } = state;
    return followFeedTail({
      feed,
      client: clients[feed],
      logger,
      onBegin(sequence) {
        if (journal.position !== undefined) onReplaced();
        journal.begin(sequence);
        version++;
      },
      onLog(logId) {
        state.logId = logId;
      },
      onEntries(entries, sequence) {
        for (const entry of entries) journal.touch(writtenTags(entry), Number(entry.sequence));
        journal.advance(sequence);
        if (entries.length > 0) version++;
      },
      onLive(isLive) {
        if (state.isLive === isLive) return;
        state.isLive = isLive;
        version++;
      },
    });
  });

  return {
    get version() {
      return version;
    },
    positions: () => ({
      catalog: followed.catalog.journal.position,
      pricing: followed.pricing.journal.position,
      reviews: followed.reviews.journal.position,
      changelog: followed.changelog.journal.position,
    }),
    judge(reads, begunAt) {
      let verdict: Verdict = "current";
      for (const [feed, tags] of reads) {
        const { journal, isLive } = followed[feed];
        const judged = journal.judge(tags, begunAt[feed]);
        if (judged === "touched") return "touched";
        if (judged === "unknown" || !isLive) verdict = "unknown";
      }
      return verdict;
    },
    logs() {
      const ids = feedNames.map((feed) => followed[feed].logId);
      return ids.includes("") ? undefined : ids.join(" ");
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
