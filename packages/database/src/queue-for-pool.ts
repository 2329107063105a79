import { activeCall } from "@storefront/call-scope";
import type { ConnectionPool, PooledConnection } from "./connection-pool.ts";
import { ConnectionQueue } from "./connection-queue.ts";
import type { QueueLimits } from "./connection-queue.ts";

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
    async connect() {
      await queue.enter();
      const connection = await open();
      return {
        query: (statement) => connection.query(statement),
        cancel: connection.cancel,
        on: (event, listener) => connection.on(event, listener),
        off: (event, listener) => connection.off(event, listener),
        release: (destroy) => giveBack(connection, destroy),
      };
    },
    end: () => pool.end(),
    get totalCount() {
      return pool.totalCount;
    },
    get idleCount() {
      return pool.idleCount;
    },
    get waitingCount() {
      return queue.waitingCount;
    },
  };
}
