import KeyvRedis, { createClient, defaultReconnectStrategy } from "@keyv/redis";
import { Keyv } from "keyv";
import type { CacheLogger } from "./cache-store.ts";

/** Longest wait for an answer; a slower cache is worse than none. */
const answerTimeoutMs = 1_000;

/** How long Redis is left alone after it failed to answer in time. */
const pauseMs = 2_000;

/** Longest that opening a connection may take. */
const connectTimeoutMs = 2_000;

/** A Keyv over Redis and what it does not offer itself. */
export interface CacheBackend {
  keyv: Keyv;
  /** What a command on `keyv` gives; undefined when there is no answer within 1 s. */
  attempt<Result>(command: () => Promise<Result>): Promise<Result | undefined>;
  /** Rejects when there is no answer within 1 s. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to Redis in the background and reconnects for ever. While there is no connection commands
 * fail at once instead of waiting, which Keyv answers as a miss. A Redis that is silent on an open
 * connection is left alone for a while, since what is sent to it piles up here.
 */
export function connectRedis(
  url: string,
  namespace: string,
  logger: CacheLogger | undefined,
): CacheBackend {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: defaultReconnectStrategy },
  });
  let isLost = false;
  let pausedUntilMs = 0;
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
    async attempt(command) {
      if (performance.now() < pausedUntilMs) return undefined;
      return await withinLimit(command(), () => {
        pausedUntilMs = performance.now() + pauseMs;
        return undefined;
      });
    },
    async ping() {
      await withinLimit(client.ping(), () => {
        throw new Error("Redis does not answer");
      });
      pausedUntilMs = 0;
    },
    close() {
      // Not in order, which would wait for the answers of a Redis that may be silent.
      client.destroy();
      return Promise.resolve();
    },
  };
}

/** What was sent gives, or what `onSilence` does. The client's own limit ends once a command is sent. */
async function withinLimit<Result, Instead>(
  sent: Promise<Result>,
  onSilence: () => Instead,
): Promise<Result | Instead> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<"silence">((resolve) => {
    timer = setTimeout(() => resolve("silence"), answerTimeoutMs);
  });
  try {
    const first = await Promise.race([sent.then((result) => ({ result })), silence]);
    return first === "silence" ? onSilence() : first.result;
  } finally {
    clearTimeout(timer);
  }
}
