import { createClient } from "@redis/client";
import type { Logger } from "@storefront/telemetry";
import { createMemoryCounter } from "./request-counter.ts";
import type { RequestCounter, Usage } from "./request-counter.ts";

// A limiter must not cost more than what it protects.
const commandTimeoutMs = 100;

const connectTimeoutMs = 2000;

/** How long Redis is left alone after it failed to answer. */
const pauseMs = 1000;

const keyPrefix = "storefront:rate:";

// One step, so that no window is left without an end and none is overdrawn.
const takeScript = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local admitted = 0
if count + tonumber(ARGV[1]) <= tonumber(ARGV[2]) then
  count = redis.call('INCRBY', KEYS[1], ARGV[1])
  admitted = 1
end
local endsIn = redis.call('PTTL', KEYS[1])
if endsIn < 0 then
  if count > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  endsIn = tonumber(ARGV[3])
end
return { admitted, count, endsIn }`;

/**
 * Counts in Redis, for all gateways together. While Redis cannot be reached, or is slow, each
 * gateway counts by itself.
 *
 * @param url `redis://…` or `rediss://…`
 */
export function createRedisCounter(url: string, windowMs: number, logger: Logger): RequestCounter {
  const own = createMemoryCounter(windowMs);
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs },
  });
  let isLost = false;
  let pausedUntilMs = 0;

  // Once per loss: every attempt to reconnect fails with an `error` of its own.
  client.on("error", (err: Error) => {
    if (!isLost) logger.warn({ err }, "rate limits are counted without Redis");
    isLost = true;
  });
  client.on("ready", () => (isLost = false));
  // Reported by the `error` event, and tried again.
  client.connect().catch(() => undefined);

  async function takeInRedis(key: string, cost: number, limit: number): Promise<Usage> {
    const sent = client.eval(takeScript, {
      keys: [keyPrefix + key],
      arguments: [cost, limit, windowMs].map(String),
    });
    const reply: unknown = await withinTimeout(sent);
    const [admitted, count, resetsInMs] = Array.isArray(reply) ? reply.map(Number) : [];
    if (count === undefined || resetsInMs === undefined) throw new Error("no count");
    return { isAdmitted: admitted === 1, left: Math.max(0, limit - count), resetsInMs };
  }

  return {
    take(key, cost, limit) {
      if (!client.isReady || performance.now() < pausedUntilMs) return own.take(key, cost, limit);
      return takeInRedis(key, cost, limit).catch(() => {
        pausedUntilMs = performance.now() + pauseMs;
        return own.take(key, cost, limit);
      });
    },
    close() {
      // Not in order, which would wait for an answer of a Redis that may be silent.
      client.destroy();
      return Promise.resolve();
    },
  };
}

// The client's own limit ends once a command is on its way.
async function withinTimeout<Reply>(sent: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("Redis is too slow")), commandTimeoutMs);
  });
  try {
    return await Promise.race([sent, limit]);
  } finally {
    clearTimeout(timer);
  }
}
