import { activeCall } from "@storefront/process";
import type { SpanAttributes } from "@storefront/process";
import { createPool } from "./create-pool.ts";
import { DatabaseUnavailableError } from "./database-errors.ts";
import type { DatabaseDriver, DatabaseOptions } from "./database-options.ts";
import type { Database } from "./database.ts";
import { cachedWhileIdle, isInBackground, steadyPolling } from "./idle/polling.ts";
import { PoolMetrics } from "./pool-metrics.ts";
import { queryableOver } from "./session.ts";
import { runOutsideTransaction, runTransaction } from "./transactions.ts";
import type { UseSession } from "./transactions.ts";

/**
 * Opens a database by its URL. PostgreSQL and Neon are first reached by the first statement; PGlite
 * is started here, once for all that open the same directory in this process.
 *
 * @throws DatabaseSetupError when the URL is not understood, or a data directory cannot be had.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { driver, pool, close, maxConnections, limits, hasSessions, autosuspend } =
    await createPool(options);
  const { metrics } = options;
  const user = {
    metrics: metrics && new PoolMetrics(metrics, pool, maxConnections),
    attributes: spanAttributes(driver, options.url),
  };
  const polling = autosuspend ?? steadyPolling;
  const beginning = { limits, hasSessions, notifiesCommits: autosuspend !== undefined };
  let closed: Promise<void> | undefined;
  const use: UseSession = async (work) => {
    if (closed !== undefined) {
      throw new DatabaseUnavailableError("DATABASE_UNREACHABLE", new Error("It is closed."));
    }
    if (!isInBackground()) autosuspend?.noteUse();
    return await pool.use(user, work);
  };
  const queryable = queryableOver({
    read: (statement, parameters) =>
      endWithCall(retryOnce(() => use((session) => session.run(statement, parameters)))),
    write: (statement, parameters) =>
      endWithCall(use((session) => session.run(statement, parameters))),
  });
  return {
    ...queryable,
    driver,
    polling,
    transaction: (work, transactionOptions) =>
      endWithCall(runTransaction(use, beginning, work, transactionOptions)),
    outsideTransaction: (statements, signal) =>
      runOutsideTransaction(use, hasSessions, statements, signal),
    probe: cachedWhileIdle(polling, async () => {
      const startMs = performance.now();
      await queryable.read("select 1");
      return performance.now() - startMs;
    }),
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** What fails because its call has ended fails with the reason of that. */
async function endWithCall<Result>(work: Promise<Result>): Promise<Result> {
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
async function retryOnce<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const wasLost = error instanceof DatabaseUnavailableError && error.code === "CONNECTION_LOST";
    if (!wasLost || activeCall()?.abortReason !== undefined) throw error;
    return await run();
  }
}

/** A database in spans, by the semantic conventions. Nothing of its URL that is secret. */
function spanAttributes(driver: DatabaseDriver, url: string): SpanAttributes {
  const system = { "db.system.name": "postgresql" };
  if (driver === "pglite" || !URL.canParse(url)) return system;
  const { hostname, port, pathname } = new URL(url);
  return {
    ...system,
    "db.namespace": decoded(pathname.slice(1)) || undefined,
    "server.address": hostname || undefined,
    "server.port": hostname === "" ? undefined : Number(port) || 5432,
  };
}

/** As it is written where it is not percent-encoded rightly, which is for the driver to refuse. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
