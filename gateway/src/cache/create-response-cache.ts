import type { Client } from "@connectrpc/connect";
import type { CacheStore } from "../redis/cache-store.ts";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { reportCounter, reportFeeds, reportGauge } from "@storefront/process";
import type { FeedName, Logger, Metrics } from "@storefront/process";
import { codeVersion } from "./code-version.ts";
import { FollowedFeeds } from "./followed-feeds.ts";
import type { ResponseMakerDependencies } from "./make-response.ts";
import { ResponseCache } from "./response-cache.ts";
import { ResponseStore } from "./response-store.ts";
import { createSharedTier } from "./shared-tier.ts";
import type { CdnTagHeader } from "../tags/edge-tags.ts";

export interface ResponseCacheOptions {
  /** Bytes that responses may take in this process; 0 makes no cache. */
  maxSizeBytes: number;
  /** A cache shared with other gateways; default none. */
  shared?: CacheStore | undefined;
  /** Names the tags of responses to caches that are purged; default: there are none. */
  tagHeader?: CdnTagHeader | undefined;
  feedClients: Record<FeedName, Client<typeof FeedService>>;
  createContext: ResponseMakerDependencies["createContext"];
  /** How long a request waits for its response, in milliseconds. */
  requestTimeoutMs: number;
  logger: Logger;
  metrics: Metrics;
}

// Of the bytes, for known request targets: the response of each has some kilobytes.
const targetShare = 1 / 16;

/** The response cache and the feeds that it follows, which are yet to be started. */
export function createResponseCache(
  options: ResponseCacheOptions,
): { responses: ResponseCache; feeds: FollowedFeeds } | undefined {
  const { maxSizeBytes, createContext, logger, metrics, tagHeader } = options;
  const { requestTimeoutMs } = options;
  if (maxSizeBytes === 0) return undefined;
  const feeds = new FollowedFeeds({
    clients: options.feedClients,
    logger,
    onReplaced: () => store.clear(),
  });
  const maxTargetBytes = Math.floor(maxSizeBytes * targetShare);
  const shared = options.shared && createSharedTier(options.shared, codeVersion());
  const store = new ResponseStore({
    maxSizeBytes: maxSizeBytes - maxTargetBytes,
    feeds,
    shared,
    tagHeader,
  });
  const responses = new ResponseCache({
    store,
    feeds,
    createContext,
    tagHeader,
    requestTimeoutMs,
    maxTargetBytes,
    logger,
  });
  reportResponseCache(metrics, responses, store);
  reportFeeds(metrics, () => feeds.states());
  return { responses, feeds };
}

function reportResponseCache(
  metrics: Metrics,
  responses: ResponseCache,
  store: ResponseStore,
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    reportGauge(metrics, { name, help }, () => [[{}, read()]]);
  gauge("response_cache_entries", "Cached responses.", () => store.stats().count);
  gauge("response_cache_bytes", "Bytes of cached responses.", () => store.stats().sizeBytes);
  gauge("response_cache_max_bytes", "Bytes that they may take.", () => store.stats().maxSizeBytes);
  gauge(
    "response_cache_targets",
    "Request targets whose response is found without parsing them.",
    () => responses.targetCount,
  );
  reportCounter(
    metrics,
    {
      name: "response_cache_evictions_total",
      help: "Cached responses that were dropped for space.",
    },
    () => [[{}, store.stats().evictedCount]],
  );
  reportCounter(
    metrics,
    {
      name: "response_cache_refreshes_total",
      help: "Renewals of stale responses in the background, by outcome.",
      labelNames: ["outcome"],
    },
    () => Object.entries(responses.revalidations).map(([outcome, count]) => [{ outcome }, count]),
  );
}
