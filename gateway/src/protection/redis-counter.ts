import { openRedisConnection } from "../redis/redis-connection.ts";
import type { Logger } from "@storefront/process";
import { createCountingWindows, takeFrom, usageOf } from "./request-counter.ts";
import type { CountingWindow, RequestCounter, Usage } from "./request-counter.ts";

/** Part of a limit that a gateway admits before Redis knows of it; at least one request. */
const unreportedShare = 0.1;

// A limiter must not cost more than what it protects.
const replyTimeoutMs = 100;
const pauseMs = 1000;

/** A window that other gateways count in as well. */
interface SharedWindow extends CountingWindow {
  /** Requests that were admitted here and not sent to Redis yet. */
  unsent: number;
  /** Requests that were sent without a reply yet. */
  unconfirmed: number;
  isReporting: boolean;
}

/**
 * Counts in Redis, for all gateways together, without waiting for it: requests are admitted from the last known
 * count and reported in the background; the reply has the count of all gateways. Only a request that would leave more
 * than a tenth of the limit unreported waits for Redis. So each gateway admits at most a tenth of the limit too much.
 * While Redis is unavailable or slow, each gateway counts alone.
 *
 * @param url `redis://…` or `rediss://…`
 */
export function createRedisCounter(url: string, windowMs: number, logger: Logger): RequestCounter {
  const redis = openRedisConnection(url, {
    replyTimeoutMs,
    pauseMs,
    onLost: (err) => logger.warn({ err }, "rate limits are counted without Redis"),
  });
  const windowOf = createCountingWindows(windowMs, (endsAtMs): SharedWindow => ({
    count: 0,
    endsAtMs,
    unsent: 0,
    unconfirmed: 0,
    isReporting: false,
  }));

  /**
   * Reports to Redis what was admitted, and takes `cost` more.
   *
   * @returns whether those are admitted; undefined without a reply
   */
  async function exchange(
    client: string,
    window: SharedWindow,
    cost: number,
    limit: number,
  ): Promise<boolean | undefined> {
    const added = window.unsent;
    window.unsent = 0;
    window.unconfirmed += added;
    const reply = await addRequests(redis, client, added, cost, limit, windowMs);
    // Also without a reply: sent again, it might count twice.
    window.unconfirmed -= added;
    if (reply === undefined) return undefined;
    // Replies come in order: what is unconfirmed still was sent later.
    window.count = reply.count + window.unsent + window.unconfirmed;
    window.endsAtMs = performance.now() + reply.endsInMs;
    return reply.isAdmitted;
  }

  async function report(client: string, window: SharedWindow, limit: number): Promise<void> {
    if (window.isReporting) return;
    window.isReporting = true;
    // What is admitted meanwhile is sent next, so that a client has one command in flight.
    while (window.unsent > 0) await exchange(client, window, 0, limit);
    window.isReporting = false;
  }

  async function takeShared(
    client: string,
    window: SharedWindow,
    cost: number,
    limit: number,
  ): Promise<Usage> {
    const isAdmitted = await exchange(client, window, cost, limit);
    return isAdmitted === undefined
      ? takeFrom(windowOf(client), cost, limit)
      : usageOf(window, isAdmitted, limit);
  }

  return {
    take(client, cost, limit) {
      const window = windowOf(client);
      const isRefused = window.count + cost > limit;
      if (isRefused || !redis.isReachable()) return takeFrom(window, cost, limit);
      const unreportedMax = Math.max(1, Math.floor(limit * unreportedShare));
      if (window.unsent + window.unconfirmed + cost > unreportedMax) {
        return takeShared(client, window, cost, limit);
      }
      window.unsent += cost;
      const usage = takeFrom(window, cost, limit);
      void report(client, window, limit);
      return usage;
    },
    close: () => redis.close(),
  };
}

const keyPrefix = "storefront:rate:";

// One step, so that no window is left without an end, nor overdrawn by what is asked for.
const addScript = `
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local admitted = 0
if count + tonumber(ARGV[2]) <= tonumber(ARGV[3]) then
  count = redis.call('INCRBY', KEYS[1], ARGV[2])
  admitted = 1
end
local endsIn = redis.call('PTTL', KEYS[1])
if endsIn < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  endsIn = tonumber(ARGV[4])
end
return { admitted, count, endsIn }`;

/**
 * Counts `added` requests of a client in any case, and `cost` more if the limit has room for all of them. Undefined
 * without a reply in time.
 */
function addRequests(
  redis: ReturnType<typeof openRedisConnection>,
  client: string,
  added: number,
  cost: number,
  limit: number,
  windowMs: number,
): Promise<{ isAdmitted: boolean; count: number; endsInMs: number } | undefined> {
  return redis.attempt(async () => {
    const reply: unknown = await redis.client.eval(addScript, {
      keys: [keyPrefix + client],
      arguments: [added, cost, limit, windowMs].map(String),
    });
    const [admitted, count, endsInMs] = Array.isArray(reply) ? reply.map(Number) : [];
    if (count === undefined || endsInMs === undefined) throw new Error("no count");
    return { isAdmitted: admitted === 1, count, endsInMs };
  });
}
