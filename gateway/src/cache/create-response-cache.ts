import type { Client } from "@connectrpc/connect";
import type { CacheStore } from "@storefront/cache";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { reportFeeds } from "@storefront/telemetry";
import type { Logger, Metrics } from "@storefront/telemetry";
import type { FeedName } from "@storefront/config";
import { codeVersion } from "./code-version.ts";
import { followFeeds } from "./followed-feeds.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import { createResponseMaker } from "./make-response.ts";
import type { ResponseMakerDependencies } from "./make-response.ts";
import { reportResponseCache } from "./response-cache-metrics.ts";
import { ResponseCache } from "./response-cache.ts";
import { ResponseStore } from "./response-store.ts";
import { createSharedTier } from "./shared-tier.ts";

/** What the response cache of a gateway is made of. */
export interface ResponseCacheOptions {
  /** Bytes that answers may take in this process; 0 makes no cache. Default 128 MiB. */
  maxSizeBytes?: number | undefined;
  /** A cache shared with other gateways; default none. */
  shared?: CacheStore | undefined;
  feedClients: Record<FeedName, Client<typeof FeedService>>;
  createContext: ResponseMakerDependencies["createContext"];
  logger: Logger;
  metrics: Metrics;
}

const defaultMaxSizeBytes = 128 * 2 ** 20;
// Of the bytes, for known request targets: the answer that each means weighs some kilobytes.
const targetShare = 1 / 16;

/** The response cache and the feeds that it follows, which are yet to be started. */
export function createResponseCache(
  options: ResponseCacheOptions,
): { responses: ResponseCache; feeds: FollowedFeeds } | undefined {
  const { maxSizeBytes = defaultMaxSizeBytes, createContext, logger, metrics } = options;
  if (maxSizeBytes === 0) return undefined;
  const feeds = followFeeds({
    clients: options.feedClients,
    logger,
    onReplaced: () => store.clear(),
  });
  const maxTargetBytes = Math.floor(maxSizeBytes * targetShare);
  const shared = options.shared && createSharedTier(options.shared, codeVersion());
  const store = new ResponseStore({ maxSizeBytes: maxSizeBytes - maxTargetBytes, feeds, shared });
  const makeResponse = createResponseMaker({ feeds, createContext });
  const responses = new ResponseCache({ store, feeds, makeResponse, maxTargetBytes, logger });
  reportResponseCache(metrics, { responses, store });
  reportFeeds(metrics, () => feeds.states());
  return { responses, feeds };
}
