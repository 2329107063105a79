import { settledWithin } from "@storefront/call-scope";
import { createClient, defaultReconnectStrategy } from "@keyv/redis";

/** Longest that opening a connection may take. */
const connectTimeoutMs = 2_000;

/** How a connection is used, and who is told of it. */
export interface RedisConnectionOptions {
  /** Longest wait for an answer. */
  answerTimeoutMs: number;
  /** How long Redis is left alone after it failed to answer: what is sent to a silent one piles up here. */
  pauseMs: number;
  /** Told once of each loss. */
  onLost: (error: Error) => void;
  /** Told when it is back after a loss; default nobody. */
  onFound?: () => void;
}

/** A connection to Redis, with limits that the client does not have itself. */
export interface RedisConnection {
  readonly client: ReturnType<typeof clientOf>;
  /** Whether it is worth asking. */
  isReachable(): boolean;
  /** What a command gives; undefined when it fails, when there is no answer in time, and for a while after. */
  attempt<Result>(command: () => Promise<Result>): Promise<Result | undefined>;
  /** Asks also a Redis that is left alone. Rejects when it does not answer in time. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to Redis in the background and reconnects for ever. While there is no connection commands
 * fail at once instead of waiting.
 *
 * @param url `redis://…` or `rediss://…`
 */
export function openRedisConnection(
  url: string,
  { answerTimeoutMs, pauseMs, onLost, onFound }: RedisConnectionOptions,
): RedisConnection {
  const client = clientOf(url);
  let isLost = false;
  let pausedUntilMs = 0;
  const isPaused = () => performance.now() < pausedUntilMs;
  // Once per loss: every attempt to reconnect fails with an `error` of its own.
  client.on("error", (error: Error) => {
    if (!isLost) onLost(error);
    isLost = true;
  });
  client.on("ready", () => {
    if (isLost) onFound?.();
    isLost = false;
  });
  // Reported by the `error` event, and tried again.
  client.connect().catch(() => undefined);
  return {
    client,
    isReachable: () => client.isReady && !isPaused(),
    async attempt(command) {
      if (isPaused()) return undefined;
      try {
        return await withinTimeout(answerTimeoutMs, command());
      } catch {
        // A connection that is lost is told of by its `error` event.
        pausedUntilMs = performance.now() + pauseMs;
        return undefined;
      }
    },
    async ping() {
      await withinTimeout(answerTimeoutMs, client.ping());
      pausedUntilMs = 0;
    },
    close() {
      // Not in order, which would wait for the answers of a Redis that may be silent.
      client.destroy();
      return Promise.resolve();
    },
  };
}

function clientOf(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: defaultReconnectStrategy },
  });
}

// The client's own limit ends once a command is on its way.
function withinTimeout<Reply>(timeoutMs: number, sent: Promise<Reply>): Promise<Reply> {
  return settledWithin(timeoutMs, sent, () => {
    throw new Error("Redis does not answer");
  });
}
