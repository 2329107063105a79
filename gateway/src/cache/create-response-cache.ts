import type { Client } from "@connectrpc/connect";
import type { CacheStore } from "../redis/cache-store.ts";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { reportCounter, reportFeeds, reportGauge } from "@storefront/process";
import type { FeedName, Metrics } from "@storefront/process";
import { codeVersion } from "./code-version.ts";
import { FollowedFeeds } from "./followed-feeds.ts";
import { ResponseCache } from "./response-cache.ts";
import type { ResponseFinderDependencies } from "./response-finder.ts";
import { ResponseStore } from "./response-store.ts";
import { createSharedTier } from "./shared-tier.ts";

export interface ResponseCacheOptions extends Omit<ResponseFinderDependencies, "store" | "feeds"> {
  /** Bytes that responses may take in this process; 0 makes no cache. */
  maxSizeBytes: number;
  /** A cache shared with other gateways; default none. */
  shared?: CacheStore | undefined;
  feedClients: Record<FeedName, Client<typeof FeedService>>;
  /** A region may have been written. */
  onRegions: () => void;
  metrics: Metrics;
}

// Of the bytes, for known request targets: the response of each has some kilobytes.
const targetShare = 1 / 16;

/** The response cache and the feeds that it follows, which are yet to be started. */
export function createResponseCache(
  options: ResponseCacheOptions,
): { responses: ResponseCache; feeds: FollowedFeeds } | undefined {
  const { maxSizeBytes, logger, metrics, tagHeader } = options;
  if (maxSizeBytes === 0) return undefined;
  const feeds = new FollowedFeeds({
    clients: options.feedClients,
    logger,
    onReplaced: () => store.clear(),
    onRegions: options.onRegions,
  });
  const maxTargetBytes = Math.floor(maxSizeBytes * targetShare);
  const shared = options.shared && createSharedTier(options.shared, codeVersion());
  const store = new ResponseStore({
    maxSizeBytes: maxSizeBytes - maxTargetBytes,
    feeds,
    shared,
    tagHeader,
  });
  const responses = new ResponseCache({ ...options, store, feeds, maxTargetBytes });
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
