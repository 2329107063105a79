import { LRUCache } from "lru-cache";
import type { EndpointHeaders } from "../http/representations.ts";
import type { CdnTagHeader } from "../tags/edge-tags.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import type { SharedTier } from "./shared-tier.ts";
import { createStoredResponse, freshen, freshnessOf, sizeOf } from "./stored-response.ts";
import type { Freshness, StoredResponse } from "./stored-response.ts";

export interface ResponseStoreDependencies {
  /** Bytes that responses may take in this process. */
  maxSizeBytes: number;
  feeds: FollowedFeeds;
  /** Default: responses are stored in this process only. */
  shared?: SharedTier | undefined;
  /** Names the tags of responses to caches that are purged; default: there are none. */
  tagHeader?: CdnTagHeader | undefined;
}

export interface Hit {
  stored: StoredResponse;
  freshness: Exclude<Freshness, "gone">;
}

/** Responses by key, in this process and, if there is one, in a cache that gateways share. */
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

  /** Of this process; `evictedCount` responses were dropped for space. */
  stats() {
    const { size: count, calculatedSize: sizeBytes, maxSize: maxSizeBytes } = this.#responses;
    return { count, sizeBytes, maxSizeBytes, evictedCount: this.#evictedCount };
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

  /** A fresh response of another process. One that is not fresh is stored here, for when none can be made. */
  async findShared(
    key: string,
    endpointHeaders: EndpointHeaders,
  ): Promise<StoredResponse | undefined> {
    // Responses without a feed are not shared.
    const before = this.#responses.get(key);
    if (before?.isFollowed === false) return undefined;
    const logs = this.#feeds.logs();
    const found = logs === undefined ? undefined : await this.#shared?.read(logs, key);
    if (found === undefined) return undefined;
    const now = performance.now();
    const { body, reads, ageMs, begunAt } = found;
    const times = { madeAt: now - ageMs, endsAt: Number.POSITIVE_INFINITY, begunAt };
    const stored = createStoredResponse(
      { body, endpointHeaders, tagHeader: this.#tagHeader },
      { reads, isFollowed: true, ...times },
      this.#feeds,
    );
    const freshness = freshnessOf(stored, this.#feeds, now);
    if (freshness === "gone" || stored.isTouched) return undefined;
    // Its age is by another process's clock, so only the feeds can vouch for it.
    if (freshness === "fresh" && stored.isCurrent) return this.#setOrFreshen(key, stored);
    if (before === undefined) this.#set(key, stored);
    return undefined;
  }

  /** Stores a response, unless there is one that was begun later. */
  put(key: string, stored: StoredResponse): void {
    if ((this.#responses.peek(key)?.madeAt ?? 0) > stored.madeAt) return;
    this.#setOrFreshen(key, stored);
    const logs = this.#feeds.logs();
    // Its end would be by another process's clock.
    const isEnding = Number.isFinite(stored.endsAt);
    if (!stored.isCurrent || isEnding || logs === undefined) return;
    const { representations, reads, begunAt, madeAt } = stored;
    const ageMs = performance.now() - madeAt;
    this.#shared?.write(logs, key, { body: representations.body, reads, begunAt, ageMs });
  }

  delete(key: string): void {
    this.#responses.delete(key);
  }

  clear(): void {
    this.#responses.clear();
  }

  #setOrFreshen(key: string, stored: StoredResponse): StoredResponse {
    const before = this.#responses.get(key);
    if (before !== undefined && freshen(before, stored)) return before;
    this.#set(key, stored);
    return stored;
  }

  #set(key: string, stored: StoredResponse): void {
    this.#responses.set(key, stored);
    stored.representations.onGrown = () => {
      if (this.#responses.peek(key) !== stored) return;
      // Only a new entry is measured.
      this.#responses.delete(key);
      this.#responses.set(key, stored);
    };
  }
}
