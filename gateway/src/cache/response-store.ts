import { LRUCache } from "lru-cache";
import { Representations } from "../http/representations.ts";
import type { EndpointHeaders } from "../http/representations.ts";
import type { CdnTagHeader } from "../tags/edge-tags.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import { renew } from "./renew.ts";
import type { SharedTier } from "./shared-tier.ts";
import {
  chooseFreshMs,
  freshnessOf,
  neverAsked,
  sizeOf,
  taggedHeaders,
} from "./stored-response.ts";
import type { Freshness, StoredResponse } from "./stored-response.ts";

/** What responses are kept with. */
export interface ResponseStoreDependencies {
  /** Bytes that responses may take in this process. */
  maxSizeBytes: number;
  feeds: FollowedFeeds;
  /** Default: responses are kept in this process only. */
  shared?: SharedTier | undefined;
  /** Names the tags of responses to caches that are purged; default: there are none. */
  tagHeader?: CdnTagHeader | undefined;
}

/** A stored response that was found, and what it is good for. */
export interface Hit {
  stored: StoredResponse;
  freshness: Exclude<Freshness, "gone">;
}

/** Responses by key, in this process and, if there is one, in a cache shared with others. */
export class ResponseStore {
  readonly #feeds: FollowedFeeds;
  readonly #shared: SharedTier | undefined;
  readonly #responses: LRUCache<string, StoredResponse>;
  readonly #tagHeader: CdnTagHeader | undefined;
  #evictedCount = 0;

  constructor({ maxSizeBytes, feeds, shared, tagHeader }: ResponseStoreDependencies) {
    this.#feeds = feeds;
    this.#shared = shared;
    this.#tagHeader = tagHeader;
    this.#responses = new LRUCache({
      maxSize: maxSizeBytes,
      sizeCalculation: (stored, key) => sizeOf(key, stored),
      dispose: (_stored, _key, reason) => {
        if (reason === "evict") this.#evictedCount += 1;
      },
    });
  }

  /** Number of responses in this process. */
  get count(): number {
    return this.#responses.size;
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.#responses.calculatedSize;
  }

  /** Bytes that they may take. */
  get maxSizeBytes(): number {
    return this.#responses.maxSize;
  }

  /** How many went for the room of others. */
  get evictedCount(): number {
    return this.#evictedCount;
  }

  /** A response of this process; `now` is on the clock of `performance.now()`. */
  find(key: string, now: number): Hit | undefined {
    const stored = this.#responses.get(key);
    if (stored === undefined) return undefined;
    const freshness = freshnessOf(stored, this.#feeds, now);
    if (freshness !== "gone") return { stored, freshness };
    this.#responses.delete(key);
    return undefined;
  }

  /** A fresh response that another process has made. One that is not fresh is left to stand in. */
  async findShared(key: string, headers: EndpointHeaders): Promise<StoredResponse | undefined> {
    // What no feed tells about is not shared.
    const before = this.#responses.get(key);
    if (before?.isFollowed === false) return undefined;
    const logs = this.#feeds.logs();
    const found = logs === undefined ? undefined : await this.#shared?.read(logs, key);
    if (found === undefined) return undefined;
    const now = performance.now();
    const own = taggedHeaders(headers, found.reads, this.#tagHeader);
    const stored: StoredResponse = {
      representations: new Representations(found.body, own),
      reads: found.reads,
      isFollowed: true,
      freshMs: chooseFreshMs(),
      madeAt: now - found.ageMs,
      endsAt: Number.POSITIVE_INFINITY,
      begunAt: found.begunAt,
      version: neverAsked,
      isCurrent: false,
      isTouched: false,
      retryAt: Number.NEGATIVE_INFINITY,
    };
    const freshness = freshnessOf(stored, this.#feeds, now);
    if (freshness === "gone" || stored.isTouched) return undefined;
    // How old it is goes by another process's clock, so only the feeds can vouch for it.
    if (freshness === "fresh" && stored.isCurrent) return this.#keepOrRenew(key, stored);
    if (before === undefined) this.#keepHere(key, stored);
    return undefined;
  }

  keep(key: string, stored: StoredResponse): void {
    // One that was begun later may have ended before it.
    if ((this.#responses.peek(key)?.madeAt ?? 0) > stored.madeAt) return;
    this.#keepOrRenew(key, stored);
    const logs = this.#feeds.logs();
    // When it ends would go by another process's clock.
    const isEnding = Number.isFinite(stored.endsAt);
    if (!stored.isCurrent || isEnding || logs === undefined) return;
    const { representations, reads, begunAt, madeAt } = stored;
    const ageMs = performance.now() - madeAt;
    this.#shared?.write(logs, key, { body: representations.body, reads, begunAt, ageMs });
  }

  /** Forgets a response in this process. */
  delete(key: string): void {
    this.#responses.delete(key);
  }

  /** Forgets every response in this process. */
  clear(): void {
    this.#responses.clear();
  }

  #keepOrRenew(key: string, stored: StoredResponse): StoredResponse {
    const before = this.#responses.get(key);
    if (before !== undefined && renew(before, stored)) return before;
    this.#keepHere(key, stored);
    return stored;
  }

  #keepHere(key: string, stored: StoredResponse): void {
    this.#responses.set(key, stored);
    stored.representations.onGrown = () => {
      if (this.#responses.peek(key) !== stored) return;
      // Only what is new is weighed.
      this.#responses.delete(key);
      this.#responses.set(key, stored);
    };
  }
}
