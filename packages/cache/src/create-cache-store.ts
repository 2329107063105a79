import type { CacheLogger, CacheStore } from "./cache-store.ts";
import { connectRedis } from "./connect-redis.ts";

/** Where values are kept. */
export interface CacheStoreOptions {
  /** `redis://…` or `rediss://…`. */
  redisUrl: string;
  /** Put before every key, so that a Redis can be shared; default `storefront`. */
  namespace?: string | undefined;
  /** Told when Redis is lost and comes back; default: nobody. */
  logger?: CacheLogger | undefined;
}

/**
 * A cache in Redis, which is connected to in the background: a cache is there at once, empty until
 * Redis answers, and again whenever Redis is lost.
 */
export function createCacheStore({
  redisUrl,
  namespace = "storefront",
  logger,
}: CacheStoreOptions): CacheStore {
  const { keyv, ...backend } = connectRedis(redisUrl, namespace, logger);
  let closed: Promise<void> | undefined;
  return {
    get: (key) => backend.attempt(() => keyv.get<unknown>(key)),
    async set(key, value, ttlMs) {
      await backend.attempt(() => keyv.set(key, value, ttlMs));
    },
    async probe() {
      const startMs = performance.now();
      await backend.ping();
      return performance.now() - startMs;
    },
    close() {
      closed ??= backend.close();
      return closed;
    },
  };
}
