import { activeCall } from "@storefront/call-scope";
import type { ConnectionPool, PooledConnection } from "./connection-pool.ts";
import { DatabaseOverloadedError } from "./database-errors.ts";

/**
 * The same pool with a queue before it that is bounded in length and time, and that whoever works for
 * a call leaves when nobody waits for the call any more.
 */
export function queueForPool(pool: ConnectionPool, limits: QueueLimits): ConnectionPool {
  const queue = new ConnectionQueue(limits);

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
          queue.leave();
          reject(error);
        } finally {
          stopListening?.();
        }
      };
      void connect();
    });
  }

  function giveBack(connection: PooledConnection, destroy?: boolean): void {
    connection.release(destroy);
    queue.leave();
  }

  return {
    ...pool,
    async connect() {
      await queue.enter();
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
  readonly #waiting = new Set<() => void>();
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

  #wait(): Promise<void> {
    const call = activeCall();
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting.delete(onTurn);
        clearTimeout(timer);
        stopListening?.();
      };
      const onTurn = () => {
        end();
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        reject(new DatabaseOverloadedError("WAITED_TOO_LONG"));
      }, this.#limits.waitTimeoutMs);
      const stopListening = call?.onAbort((reason) => {
        end();
        reject(reason);
      });
      this.#waiting.add(onTurn);
    });
  }
}
