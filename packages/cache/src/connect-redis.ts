import KeyvRedis, { createClient, defaultReconnectStrategy } from "@keyv/redis";
import { Keyv } from "keyv";
import type { CacheLogger } from "./cache-store.ts";

/** Longest that a command may take; a slower cache is worse than none. */
const commandTimeoutMs = 1_000;

/** Longest that opening a connection may take. */
const connectTimeoutMs = 2_000;

/** A Keyv over Redis and what it does not offer itself. */
export interface RedisCache {
  keyv: Keyv;
  /** Rejects when Redis does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to Redis in the background and reconnects for ever. While there is no connection commands
 * fail at once instead of waiting, which Keyv answers as a miss.
 */
export function connectRedis(
  url: string,
  namespace: string,
  logger: CacheLogger | undefined,
): RedisCache {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: commandTimeoutMs },
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: defaultReconnectStrategy },
  });
  let isLost = false;
  // Once per loss: every attempt to reconnect fails with an `error` of its own.
  client.on("error", (err: Error) => {
    if (!isLost) logger?.warn({ err }, "cache unreachable");
    isLost = true;
  });
  client.on("ready", () => {
    if (isLost) logger?.warn({}, "cache reachable again");
    isLost = false;
  });
  // Reported by the `error` event, and tried again.
  client.connect().catch(() => undefined);
  const adapter = new KeyvRedis(client, { namespace });
  const keyv = new Keyv(adapter, { namespace, useKeyPrefix: false });
  // The client's events reach both, and an `error` that nobody hears would end the process.
  adapter.on("error", () => undefined);
  keyv.on("error", () => undefined);
  return {
    keyv,
    async ping() {
      await client.ping();
    },
    async close() {
      if (client.isReady) await client.close();
      else client.destroy();
    },
  };
}
