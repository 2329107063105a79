import { activeCall } from "@storefront/call-scope";
import type { ConnectionPool, PooledConnection } from "./connection-pool.ts";
import {
  ConnectionSilentError,
  DatabaseOverloadedError,
  DatabaseUnavailableError,
} from "./database-errors.ts";

/** SQLSTATEs after which the server closes the connection: class 08, shutdown, start-up and long pauses. */
const closingStates = /^(?:08...|57P0[1-5]|25P0[34])$/;

/**
 * Takes a connection for as long as `work` runs. A connection that broke is closed instead of given
 * back, and so is one whose error is not the server's (a statement may still be running on it).
 *
 * @throws DatabaseOverloadedError or DatabaseUnavailableError when no connection can be had, the latter
 * also when it breaks; why nobody waits any more; otherwise what `work` throws.
 */
export async function withConnection<Result>(
  pool: ConnectionPool,
  work: (connection: PooledConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect().catch((error: unknown) => {
    throw connectErrorOf(error);
  });
  let isLost = false;
  const onError = () => {
    isLost = true;
  };
  // While a connection is taken nobody else listens, and an unheard `error` ends the process.
  connection.on("error", onError);
  let destroy: boolean | ConnectionSilentError = true;
  try {
    const result = await work(connection);
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
    connection.release(isLost || destroy);
  }
}

/** SQLSTATE `too_many_connections`. */
const tooManyConnections = "53300";

function connectErrorOf(error: unknown): unknown {
  if (error instanceof DatabaseOverloadedError || error === activeCall()?.abortReason) return error;
  return sqlState(error) === tooManyConnections
    ? new DatabaseOverloadedError("TOO_MANY_CONNECTIONS", { cause: error })
    : new DatabaseUnavailableError("DATABASE_UNREACHABLE", error);
}

/** The SQLSTATE of an error that the server answered, undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
