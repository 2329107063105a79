import { Keyv } from "keyv";
import { BoundedMap } from "./bounded-map.ts";
import type { CacheLogger, CacheStore } from "./cache-store.ts";
import { connectRedis } from "./connect-redis.ts";
import type { CacheBackend } from "./connect-redis.ts";

/** Where values are kept, and how many. */
export interface CacheStoreOptions {
  /** `redis://…` or `rediss://…`; default: this process's memory. */
  redisUrl?: string | undefined;
  /** Most that memory keeps, in bytes; default 64 MiB. Redis has a bound of its own. */
  maxSizeBytes?: number | undefined;
  /** Put before every key, so that a Redis can be shared; default `storefront`. */
  namespace?: string | undefined;
  /** Told when Redis is lost and comes back; default: nobody. */
  logger?: CacheLogger | undefined;
}

const defaultMaxSizeBytes = 64 * 1024 * 1024;

/**
 * A cache in memory or in Redis. Redis is connected to in the background: a cache is there at once,
 * empty until Redis answers, and again whenever Redis is lost.
 */
export function createCacheStore(options: CacheStoreOptions = {}): CacheStore {
  const namespace = options.namespace ?? "storefront";
  if (options.redisUrl === undefined) {
    const store = new BoundedMap(options.maxSizeBytes ?? defaultMaxSizeBytes);
    return storeOver({
      keyv: new Keyv({ store, namespace }),
      attempt: (command) => command(),
      ping: () => Promise.resolve(),
      close: () => Promise.resolve(),
    });
  }
  return storeOver(connectRedis(options.redisUrl, namespace, options.logger));
}

function storeOver({ keyv, ...backend }: CacheBackend): CacheStore {
  let closed: Promise<void> | undefined;
  return {
    get: (key) => backend.attempt(() => keyv.get<unknown>(key)),
    async set(key, value, ttlMs) {
      await backend.attempt(() => keyv.set(key, value, ttlMs));
    },
    async delete(key) {
      await backend.attempt(() => keyv.delete(key));
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
