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

// One step, so that no window is left without an end.
const addScript = `
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local endsIn = redis.call('PTTL', KEYS[1])
if endsIn < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  endsIn = tonumber(ARGV[2])
end
return { count, endsIn }`;

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

  async function addInRedis(key: string, cost: number): Promise<Usage> {
    const sent = client.eval(addScript, {
      keys: [keyPrefix + key],
      arguments: [String(cost), String(windowMs)],
    });
    const reply: unknown = await withinTimeout(sent);
    const [count, resetsInMs] = Array.isArray(reply) ? reply.map(Number) : [];
    if (count === undefined || resetsInMs === undefined) throw new Error("no count");
    return { count, resetsInMs };
  }

  return {
    add(key, cost) {
      if (!client.isReady || performance.now() < pausedUntilMs) return own.add(key, cost);
      return addInRedis(key, cost).catch(() => {
        pausedUntilMs = performance.now() + pauseMs;
        return own.add(key, cost);
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
