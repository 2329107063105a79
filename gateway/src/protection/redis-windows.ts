import { createClient } from "@redis/client";
import type { Logger } from "@storefront/telemetry";

// A limiter must not cost more than what it protects.
const commandTimeoutMs = 100;

const connectTimeoutMs = 2000;

/** How long Redis is left alone after it failed to answer. */
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
   * Counts `told` requests in any case, and `cost` more if the limit has room for all of them.
   * Undefined without an answer in time; it is left alone for a second then. Never rejects.
   */
  add(client: string, told: number, cost: number, limit: number): Promise<RedisWindow | undefined>;
  close(): Promise<void>;
}

/** Connects to Redis in the background, again and again. */
export function connectRedisWindows(url: string, windowMs: number, logger: Logger): RedisWindows {
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

  return {
    isReachable: () => client.isReady && performance.now() >= pausedUntilMs,
    async add(key, ...counts) {
      try {
        const sent = client.eval(addScript, {
          keys: [keyPrefix + key],
          arguments: [...counts, windowMs].map(String),
        });
        const reply: unknown = await withinTimeout(sent);
        const [admitted, count, endsInMs] = Array.isArray(reply) ? reply.map(Number) : [];
        if (count === undefined || endsInMs === undefined) throw new Error("no count");
        return { isAdmitted: admitted === 1, count, endsInMs };
      } catch {
        // A connection that is lost is logged by its `error` event.
        pausedUntilMs = performance.now() + pauseMs;
        return undefined;
      }
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
