import { activeCall } from "@storefront/process";
import {
  ConnectionSilentError,
  DatabaseOverloadedError,
  DatabaseUnavailableError,
  sqlState,
} from "./database-errors.ts";
import type { DriverConnection, DriverPool, PoolUsage } from "./drivers/driver-pool.ts";
import { Session } from "./session.ts";
import type { PoolUser } from "./session.ts";
import { Silence } from "./silence.ts";

/** Limits of a pool. */
interface QueueLimits {
  readonly maxConnections: number;
  /** Most callers that wait for a connection; more are refused at once. */
  readonly maxWaiting: number;
  /** Longest wait, in milliseconds. */
  readonly waitTimeoutMs: number;
}

/** SQLSTATEs after which the server closes the connection: class 08, shutdown, start-up and long pauses. */
const closingStates = /^(?:08...|57P0[1-5]|25P0[34])$/;

/** SQLSTATE `too_many_connections`. */
const tooManyConnections = "53300";

/**
 * The connections of one database and the queue for them, for all drivers. Work for a call leaves the queue
 * when the call ends; all work leaves it when the server is silent, see {@link Silence}.
 */
export class ConnectionPool {
  readonly #driver: DriverPool;
  readonly #queue: ConnectionQueue;
  readonly #silence: Silence;

  constructor(driver: DriverPool, limits: QueueLimits) {
    this.#driver = driver;
    this.#queue = new ConnectionQueue(limits);
    this.#silence = new Silence(driver, (error) => this.#queue.refuse(error));
  }

  usage(): PoolUsage & { readonly waitingCount: number } {
    return { ...this.#driver.usage(), waitingCount: this.#queue.waitingCount };
  }

  end(): Promise<void> {
    return this.#driver.end();
  }

  /**
   * Takes a connection while `work` runs. It is closed instead of released after it broke, and after an error
   * that is not the server's: a statement may still be running on it.
   *
   * @throws DatabaseOverloadedError or DatabaseUnavailableError when no connection is available, the latter
   * also when it breaks; the reason for which the call has ended; otherwise what `work` throws.
   */
  async use<Result>(user: PoolUser, work: (session: Session) => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const connection = await this.#connect().catch((error: unknown) => {
      user.metrics?.connectFailed(error);
      throw connectErrorOf(error);
    });
    const waitedMs = performance.now() - startedAt;
    user.metrics?.connected(waitedMs / 1000);
    let isLost = false;
    const onError = () => {
      isLost = true;
    };
    // The driver does not listen on a connection in use, and an unhandled `error` ends the process.
    connection.on("error", onError);
    let destroy: boolean | ConnectionSilentError = true;
    try {
      const result = await work(new Session(connection, user, waitedMs));
      destroy = false;
      return result;
    } catch (error) {
      if (error instanceof ConnectionSilentError) {
        destroy = error;
        throw new DatabaseUnavailableError("DATABASE_UNREACHABLE", error);
      }
      const state = sqlState(error);
      if (isLost || (state !== undefined && closingStates.test(state))) {
        throw new DatabaseUnavailableError("CONNECTION_LOST", error);
      }
      destroy = state === undefined;
      throw error;
    } finally {
      connection.off("error", onError);
      this.#giveBack(connection, isLost || destroy);
    }
  }

  async #connect(): Promise<DriverConnection> {
    await this.#silence.end();
    await this.#queue.enter();
    // A silence may have begun meanwhile.
    await this.#silence.end().catch((error: unknown) => {
      this.#queue.leave();
      throw error;
    });
    return await this.#open();
  }

  /** Releases a connection that is opened after its call has ended. */
  #open(): Promise<DriverConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<DriverConnection>();
    let isTooLate = false;
    const stopListening = activeCall()?.onAbort((reason) => {
      isTooLate = true;
      reject(reason);
    });
    const connect = async (): Promise<void> => {
      try {
        const connection = await this.#driver.connect();
        if (isTooLate) this.#giveBack(connection);
        else resolve(connection);
      } catch (error) {
        this.#leaveAfter(error);
        reject(error);
      } finally {
        stopListening?.();
      }
    };
    void connect();
    return promise;
  }

  #giveBack(connection: DriverConnection, destroy?: boolean | ConnectionSilentError): void {
    connection.release(destroy);
    this.#leaveAfter(destroy);
  }

  #leaveAfter(end: unknown): void {
    if (end instanceof ConnectionSilentError) this.#silence.begin();
    // The server has responded on this connection.
    else if (end === false) this.#silence.isOver();
    this.#queue.leave();
  }
}

function connectErrorOf(error: unknown): unknown {
  if (error instanceof DatabaseOverloadedError || error === activeCall()?.abortReason) return error;
  return sqlState(error) === tooManyConnections
    ? new DatabaseOverloadedError("TOO_MANY_CONNECTIONS", { cause: error })
    : new DatabaseUnavailableError("DATABASE_UNREACHABLE", error);
}

/** Work that waits for a connection, first come, first served. */
class ConnectionQueue {
  readonly #limits: QueueLimits;
  /** Each is called without an error when a connection is free for it. */
  readonly #waiting = new Set<(error?: Error) => void>();
  #usedCount = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /**
   * Waits until the caller may use a connection; {@link leave} ends that.
   *
   * @throws DatabaseOverloadedError, or the reason for which the active call has ended.
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

  /** Admits the next one. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#usedCount -= 1;
    else next();
  }

  /** Fails for all that wait. */
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
