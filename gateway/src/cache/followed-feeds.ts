import type { Client } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { feedNames } from "@storefront/process";
import type { FeedName, FeedState, Logger } from "@storefront/process";
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

interface Followed {
  readonly journal: FeedJournal;
  logId: string;
  /** Until when it vouches for responses, on the clock of `performance.now()`; 0 while it does not. */
  liveUntil: number;
}

export interface FollowedFeedsDependencies {
  clients: Record<FeedName, Client<typeof FeedService>>;
  logger: Logger;
  /** A log, or its history, was replaced: positions in the old one mean nothing any more. */
  onReplaced: () => void;
  /** A region may have been written. */
  onRegions: () => void;
}

/** The feeds of all owner services, and what they say of responses. They are followed from `start` on. */
export class FollowedFeeds {
  readonly #dependencies: FollowedFeedsDependencies;
  readonly #followed: Readonly<Record<FeedName, Followed>> = {
    catalog: newFollowed(),
    pricing: newFollowed(),
    reviews: newFollowed(),
    changelog: newFollowed(),
  };
  readonly #all = Object.values(this.#followed);
  readonly #tails: readonly FeedTail[];
  #version = 0;

  constructor(dependencies: FollowedFeedsDependencies) {
    this.#dependencies = dependencies;
    this.#tails = feedNames.map((feed) => this.#follow(feed));
  }

  /** Rises with everything that may change a verdict. */
  get version(): number {
    this.#endLeases();
    return this.#version;
  }

  /** Up to where the feeds have been read: to be taken before a response is made. */
  positions(): Positions {
    const { catalog, pricing, reviews, changelog } = this.#followed;
    return {
      catalog: catalog.journal.position,
      pricing: pricing.journal.position,
      reviews: reviews.journal.position,
      changelog: changelog.journal.position,
    } satisfies Record<FeedName, FeedPosition | undefined>;
  }

  /** @param isExcused feeds whose silence does not count; default none */
  judge(
    reads: Reads,
    begunAt: Positions,
    isExcused: (feed: FeedName) => boolean = () => false,
  ): Verdict {
    this.#endLeases();
    let verdict: Verdict = "current";
    for (const [feed, tags] of reads) {
      const { journal, liveUntil } = this.#followed[feed];
      const judged = journal.judge(tags, begunAt[feed]);
      if (judged === "touched") return "touched";
      if (judged === "unknown" || !(liveUntil > 0 || isExcused(feed))) verdict = "unknown";
    }
    return verdict;
  }

  /** Whether everything that the feed's owner commits is known at once. */
  isLive(feed: FeedName): boolean {
    this.#endLeases();
    return this.#followed[feed].liveUntil > 0;
  }

  /** To be called when the owner of a feed that is not live has responded; see {@link FeedTail.reconnect}. */
  reconnect(feed: FeedName): void {
    this.#tails.find((tail) => tail.feed === feed)?.reconnect();
  }

  /**
   * Identifies the logs that positions are of; undefined while one of them is not known. An empty log has no id and
   * needs none: what was read of it is the same of any other empty one.
   */
  logs(): string | undefined {
    if (this.#all.some(({ journal }) => journal.position === undefined)) return undefined;
    return this.#all.map(({ logId }) => logId).join(" ");
  }

  states(): [feed: FeedName, state: FeedState][] {
    return this.#tails.map((tail) => [tail.feed, tail.state()]);
  }

  start(): void {
    for (const tail of this.#tails) tail.start();
  }

  async close(): Promise<void> {
    await Promise.all(this.#tails.map((tail) => tail.close()));
  }

  #follow(feed: FeedName): FeedTail {
    const { clients, logger, onReplaced, onRegions } = this.#dependencies;
    const followed = this.#followed[feed];
    const { journal } = followed;
    return followFeedTail({
      feed,
      client: clients[feed],
      logger,
      onBegin: (cursor) => {
        if (journal.position !== undefined) onReplaced();
        journal.begin(cursor);
        followed.logId = cursor.logId;
        this.#version++;
        if (feed === "pricing") onRegions();
      },
      onEntries: (entries, cursor) => {
        for (const entry of entries) {
          const { sequence, identity } = entry;
          journal.advance({ sequence: Number(sequence), identity }, writtenTags(entry));
        }
        if (entries.some(({ kind }) => kind === "region")) onRegions();
        if (entries.length === 0) journal.advance(cursor, []);
        else this.#version++;
        followed.logId = cursor.logId;
      },
      onLive: (until) => {
        if (followed.liveUntil > 0 !== until > 0) this.#version++;
        followed.liveUntil = until;
      },
    });
  }

  /** Ends the leases of silent feeds: at each use, since timers of a busy process are late. */
  #endLeases(): void {
    const now = performance.now();
    for (const followed of this.#all) {
      if (followed.liveUntil === 0 || now < followed.liveUntil) continue;
      followed.liveUntil = 0;
      this.#version++;
    }
  }
}

function newFollowed(): Followed {
  return { journal: new FeedJournal(), logId: "", liveUntil: 0 };
}
