import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { openRedisConnection } from "./redis-connection.ts";

/** A slower cache is worse than none. */
const replyTimeoutMs = 1_000;
const pauseMs = 2_000;

export interface CacheStoreOptions {
  /** `redis://…` or `rediss://…`. */
  redisUrl: string;
  /** Put before every key, so that a Redis can be shared; default `storefront`. */
  namespace?: string | undefined;
  /** For the loss and the return of Redis; a pino logger fits. */
  logger?: { warn(details: object, message: string): void } | undefined;
}

/**
 * Values by key that may be dropped at any time, shared by processes. An unreachable cache is empty and stores nothing,
 * so that readers continue without it; only `probe` fails. No call takes longer than a second.
 */
export interface CacheStore {
  /**
   * The value, as JSON gave it back (Buffers stay Buffers), or undefined.
   *
   * @param timeoutMs longest wait, after which the cache is not used for two seconds; default 1 s
   */
  get(key: string, timeoutMs?: number): Promise<unknown>;
  /** Stores a JSON value or a Buffer, for at most `ttlMs` milliseconds; default without end. */
  set(key: string, value: unknown, ttlMs?: number): Promise<void>;
  /** Milliseconds of a round trip; rejects when the cache does not reply. */
  probe(): Promise<number>;
  /** Closes the connection. A second call does nothing. */
  close(): Promise<void>;
}

/** A cache in Redis, which is connected to in the background: it is empty without a connection. */
export function createCacheStore({
  redisUrl,
  namespace = "storefront",
  logger,
}: CacheStoreOptions): CacheStore {
  const redis = openRedisConnection(redisUrl, {
    replyTimeoutMs,
    pauseMs,
    onLost: (err) => logger?.warn({ err }, "cache unreachable"),
    onFound: () => logger?.warn({}, "cache reachable again"),
  });
  const adapter = new KeyvRedis(redis.client, { namespace });
  const keyv = new Keyv(adapter, { namespace, useKeyPrefix: false });
  // The client's events reach both, and an `error` without a listener would end the process.
  adapter.on("error", () => undefined);
  keyv.on("error", () => undefined);
  let closed: Promise<void> | undefined;
  return {
    get: (key, timeoutMs) => redis.attempt(() => keyv.get<unknown>(key), timeoutMs),
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
