import { settledWithin } from "@storefront/process";
import { createClient, defaultReconnectStrategy } from "@keyv/redis";

/** Longest that opening a connection may take. */
const connectTimeoutMs = 2_000;

export interface RedisConnectionOptions {
  /** Longest wait for a reply, unless a command has its own. */
  replyTimeoutMs: number;
  /** How long a Redis that failed to reply gets no commands, which would pile up here. */
  pauseMs: number;
  /** Called once for each loss. */
  onLost: (error: Error) => void;
  /** Called when it is back after a loss. */
  onFound?: () => void;
}

/**
 * Connects to Redis in the background, and again after each loss, with limits that the client does not have itself.
 * Without a connection commands fail at once.
 *
 * @param url `redis://…` or `rediss://…`
 */
export function openRedisConnection(
  url: string,
  { replyTimeoutMs, pauseMs, onLost, onFound }: RedisConnectionOptions,
) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: defaultReconnectStrategy },
  });
  let isLost = false;
  let pausedUntilMs = 0;
  const isPaused = () => performance.now() < pausedUntilMs;
  // Each attempt to reconnect that fails has an `error` of its own.
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
    /** Whether commands are sent. */
    isReachable: () => client.isReady && !isPaused(),
    /** The reply to a command; undefined when it fails, when there is none in time, and for a while after. */
    async attempt<Reply>(
      command: () => Promise<Reply>,
      timeoutMs = replyTimeoutMs,
    ): Promise<Reply | undefined> {
      if (isPaused()) return undefined;
      try {
        return await withinTimeout(timeoutMs, command());
      } catch {
        // A lost connection is reported by its `error` event.
        pausedUntilMs = performance.now() + pauseMs;
        return undefined;
      }
    },
    /** Also sent during a pause. Rejects when there is no reply in time. */
    async ping() {
      await withinTimeout(replyTimeoutMs, client.ping());
      pausedUntilMs = 0;
    },
    close() {
      // An orderly end would wait for the replies of a Redis that may be silent.
      client.destroy();
      return Promise.resolve();
    },
  };
}

// The client's own limit ends once a command is sent.
function withinTimeout<Reply>(timeoutMs: number, sent: Promise<Reply>): Promise<Reply> {
  return settledWithin(timeoutMs, sent, () => {
    throw new Error("Redis does not reply");
  });
}
