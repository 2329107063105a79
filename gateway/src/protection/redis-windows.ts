import { openRedisConnection } from "@storefront/cache";
import type { Logger } from "@storefront/telemetry";

// A limiter must not cost more than what it protects.
const answerTimeoutMs = 100;
const pauseMs = 1000;

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

/** What Redis knows of a client's window. */
export interface RedisWindow {
  isAdmitted: boolean;
  count: number;
  endsInMs: number;
}

/** Windows in Redis, which all gateways count in. */
export interface RedisWindows {
  /** Whether it is worth asking. */
  isReachable(): boolean;
  /**
   * Counts `added` requests in any case, and `cost` more if the limit has room for all of them.
   * Undefined without an answer in time; it is left alone for a second then. Never rejects.
   */
  add(client: string, added: number, cost: number, limit: number): Promise<RedisWindow | undefined>;
  close(): Promise<void>;
}

/** As {@link openRedisConnection}. */
export function connectRedisWindows(url: string, windowMs: number, logger: Logger): RedisWindows {
  const redis = openRedisConnection(url, {
    answerTimeoutMs,
    pauseMs,
    onLost: (err) => logger.warn({ err }, "rate limits are counted without Redis"),
  });
  return {
    isReachable: () => redis.isReachable(),
    add: (key, ...counts) =>
      redis.attempt(async () => {
        const reply: unknown = await redis.client.eval(addScript, {
          keys: [keyPrefix + key],
          arguments: [...counts, windowMs].map(String),
        });
        const [admitted, count, endsInMs] = Array.isArray(reply) ? reply.map(Number) : [];
        if (count === undefined || endsInMs === undefined) throw new Error("no count");
        return { isAdmitted: admitted === 1, count, endsInMs };
      }),
    close: () => redis.close(),
  };
}
