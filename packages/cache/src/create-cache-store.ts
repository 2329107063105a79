import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import type { CacheLogger, CacheStore } from "./cache-store.ts";
import { openRedisConnection } from "./redis-connection.ts";

/** A slower cache is worse than none. */
const answerTimeoutMs = 1_000;
const pauseMs = 2_000;

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
  const redis = openRedisConnection(redisUrl, {
    answerTimeoutMs,
    pauseMs,
    onLost: (err) => logger?.warn({ err }, "cache unreachable"),
    onFound: () => logger?.warn({}, "cache reachable again"),
  });
  const adapter = new KeyvRedis(redis.client, { namespace });
  const keyv = new Keyv(adapter, { namespace, useKeyPrefix: false });
  // The client's events reach both, and an `error` that nobody hears would end the process.
  adapter.on("error", () => undefined);
  keyv.on("error", () => undefined);
  let closed: Promise<void> | undefined;
  return {
    get: (key) => redis.attempt(() => keyv.get<unknown>(key)),
    async set(key, value, ttlMs) {
      await redis.attempt(() => keyv.set(key, value, ttlMs));
    },
    async probe() {
      const startMs = performance.now();
      await redis.ping();
      return performance.now() - startMs;
    },
    close() {
      closed ??= redis.close();
      return closed;
    },
  };
}
