import { activeCall } from "@storefront/call-scope";
import type { ConnectionPool, PooledConnection, ServerPool } from "./connection-pool.ts";
import { ConnectionSilentError, DatabaseOverloadedError } from "./database-errors.ts";
import { Silence } from "./silence.ts";

/**
 * The same pool with a queue before it that is bounded in length and time, and that whoever works for
 * a call leaves when nobody waits for the call any more. All leave it when the server is silent, see {@link Silence}.
 */
export function queueForPool(pool: ServerPool, limits: QueueLimits): ConnectionPool {
  const queue = new ConnectionQueue(limits);
  const silence = new Silence(pool, (error) => queue.refuse(error));

  /** A connection that is opened too late for its call is kept for others. */
  function open(): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      let isGivenUp = false;
      const stopListening = activeCall()?.onAbort((reason) => {
        isGivenUp = true;
        reject(reason);
      });
      const connect = async () => {
        try {
          const connection = await pool.connect();
          if (isGivenUp) giveBack(connection);
          else resolve(connection);
        } catch (error) {
          leaveAfter(error);
          reject(error);
        } finally {
          stopListening?.();
        }
      };
      void connect();
    });
  }

  function giveBack(connection: PooledConnection, destroy?: boolean | ConnectionSilentError): void {
    connection.release(destroy);
    leaveAfter(destroy);
  }

  function leaveAfter(end: unknown): void {
    if (end instanceof ConnectionSilentError) silence.begin();
    // The server has answered on this connection.
    else if (end === false) silence.isOver();
    queue.leave();
  }

  return {
    ...pool,
    async connect() {
      await silence.end();
      await queue.enter();
      // It may have begun meanwhile.
      await silence.end().catch((error: unknown) => {
        queue.leave();
        throw error;
      });
      const connection = await open();
      return { ...connection, release: (destroy) => giveBack(connection, destroy) };
    },
    usage: () => ({ ...pool.usage(), waitingCount: queue.waitingCount }),
  };
}

/** How many may use connections, and how many may wait for one. */
interface QueueLimits {
  readonly maxConnections: number;
  /** One more is refused at once. */
  readonly maxWaiting: number;
  /** Longest wait, in milliseconds. */
  readonly waitTimeoutMs: number;
}

/** Whoever wants a connection of a pool, in the order of coming. */
class ConnectionQueue {
  readonly #limits: QueueLimits;
  /** Each is called without an error when it is its turn. */
  readonly #waiting = new Set<(error?: Error) => void>();
  #usedCount = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /**
   * Waits until it is the caller's turn to use a connection; {@link leave} ends that.
   *
   * @throws DatabaseOverloadedError, or why nobody waits for the call any more that it is done for.
   */
  async enter(): Promise<void> {
    const { maxConnections, maxWaiting } = this.#limits;
    const abortReason = activeCall()?.abortReason;
    if (abortReason !== undefined) throw abortReason;
    if (this.#usedCount < maxConnections) {
      this.#usedCount += 1;
    } else if (this.#waiting.size < maxWaiting) {
      await this.#wait();
    } else {
      throw new DatabaseOverloadedError("QUEUE_FULL");
    }
  }

  /** Lets the next one have its turn. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#usedCount -= 1;
    else next();
  }

  /** Fails for all who wait. */
  refuse(error: Error): void {
    for (const end of this.#waiting) end(error);
  }

  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (error?: Error) => {
      this.#waiting.delete(end);
      clearTimeout(timer);
      stopListening?.();
      if (error === undefined) resolve();
      else reject(error);
    };
    const timer = setTimeout(
      () => end(new DatabaseOverloadedError("WAITED_TOO_LONG")),
      this.#limits.waitTimeoutMs,
    );
    const stopListening = activeCall()?.onAbort(end);
    this.#waiting.add(end);
    return promise;
  }
}
