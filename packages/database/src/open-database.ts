import { activeCall } from "@storefront/call-scope";
import type { ConnectionPool, PooledConnection } from "./connection-pool.ts";
import { createPool } from "./create-pool.ts";
import { DatabaseUnavailableError } from "./database-errors.ts";
import type { Database, DatabaseOptions } from "./database.ts";
import { cachedWhileIdle } from "./idle/polling.ts";
import { observePool } from "./observe-pool.ts";
import { runOutsideTransaction } from "./run-outside-transaction.ts";
import { queryableOver, runStatement } from "./run-statement.ts";
import { runTransaction } from "./run-transaction.ts";
import { databaseAttributes, tracePool } from "./trace-pool.ts";
import { withConnection } from "./with-connection.ts";

/**
 * Opens a database by its URL. PostgreSQL and Neon are first reached by the first statement; PGlite
 * is started here, once for all who open the same directory in this process.
 *
 * @throws DatabaseSetupError when the URL is not understood, or a data directory cannot be had.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const {
    driver,
    pool: plainPool,
    maxConnections,
    limits,
    hasSessions,
    notifiesCommits,
    polling,
  } = await createPool(options);
  const { metrics } = options;
  const observed =
    metrics === undefined ? plainPool : observePool(plainPool, maxConnections, metrics);
  const pool = tracePool(observed, databaseAttributes(driver, options.url));
  const beginning = { limits, hasSessions, notifiesCommits };
  let closed: Promise<void> | undefined;
  const queryable = queryableOver({
    read: (statement, parameters) =>
      toldOfCall(retryOnce(pool, (connection) => runStatement(connection, statement, parameters))),
    write: (statement, parameters) =>
      toldOfCall(
        withConnection(pool, (connection) => runStatement(connection, statement, parameters)),
      ),
  });
  return {
    ...queryable,
    driver,
    polling,
    transaction: (work, transactionOptions) =>
      toldOfCall(runTransaction(pool, beginning, work, transactionOptions)),
    outsideTransaction: (statements, signal) =>
      runOutsideTransaction(pool, hasSessions, statements, signal),
    probe: cachedWhileIdle(polling, async () => {
      const startMs = performance.now();
      await queryable.read("select 1");
      return performance.now() - startMs;
    }),
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
}

/** What fails because nobody waits for the call any more fails with the reason of that. */
async function toldOfCall<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw activeCall()?.abortReason ?? error;
  }
}

/**
 * For statements that change nothing: tries again on another connection if the first one breaks. One that is silent
 * would be as silent again.
 */
async function retryOnce<Result>(
  pool: ConnectionPool,
  work: (connection: PooledConnection) => Promise<Result>,
): Promise<Result> {
  try {
    return await withConnection(pool, work);
  } catch (error) {
    if (activeCall()?.abortReason !== undefined) throw error;
    const wasLost = error instanceof DatabaseUnavailableError && error.code === "CONNECTION_LOST";
    if (!wasLost) throw error;
    return withConnection(pool, work);
  }
}
