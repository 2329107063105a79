import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
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

/** What the package needs of a logger; a pino logger fits. */
export interface CacheLogger {
  warn(details: object, message: string): void;
}

/**
 * Values by key that may be forgotten at any time, shared by processes. A cache that is unreachable holds nothing and
 * takes nothing, so that readers go on without it; only `probe` tells. None of these takes longer
 * than a second, whatever the cache does.
 */
export interface CacheStore {
  /** The value, as JSON gave it back (Buffers stay Buffers), or undefined. */
  get(key: string): Promise<unknown>;
  /** Keeps a JSON value or a Buffer. `ttlMs` is how long at most; default for ever. */
  set(key: string, value: unknown, ttlMs?: number): Promise<void>;
  /** Milliseconds that a round trip takes; rejects when the cache does not answer. */
  probe(): Promise<number>;
  /** Lets go of the connection. A second call does nothing. */
  close(): Promise<void>;
}
