import { activeCall } from "@storefront/process";
import type { SpanAttributes } from "@storefront/process";
import { DatabaseUnavailableError, DatabaseSetupError } from "./database-errors.ts";
import { databaseDefaults } from "./database-options.ts";
import type { DatabaseDriver, DatabaseOptions } from "./database-options.ts";
import type { Database } from "./database.ts";
import {
  cachedWhileIdle,
  isInBackground,
  steadyPolling,
  AutosuspendPolling,
} from "./idle/polling.ts";
import { PoolMetrics } from "./pool-metrics.ts";
import { queryableOver } from "./session.ts";
import { runOutsideTransaction, runTransaction } from "./transactions.ts";
import type { UseSession } from "./transactions.ts";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { ConnectionPool } from "./connection-pool.ts";
import { directUrl, driverOf, isNeonPoolerUrl, isNeonUrl } from "./database-url.ts";
import type { ListeningPool, PoolSettings } from "./drivers/driver-pool.ts";

/**
 * Opens a database by its URL. PostgreSQL and Neon are first reached by the first statement; PGlite
 * is started here, once for all that open the same directory in this process.
 *
 * @throws DatabaseSetupError when the URL is not supported, or a data directory cannot be opened.
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

/** Failures after the end of the call get its reason. */
async function endWithCall<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw activeCall()?.abortReason ?? error;
  }
}

/**
 * For statements that change nothing: retries on another connection if the first one breaks, not if it is silent,
 * since another one would be silent too.
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

/** A database in spans, by the semantic conventions. Without secrets of its URL. */
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

/** Unchanged when the percent-encoding is invalid, which the driver rejects. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Default queue length per connection. Reads take about a millisecond, so that the last one waits less than the
 * timeout of calls; a longer queue only delays all of them.
 */
const waitingPerConnection = 20;

/**
 * The pool for a database's URL, with the `limits` of a server (PGlite has none) and the `autosuspend` of a
 * database that is suspended while unused. Loads only the driver in use: PGlite alone takes 20 MB.
 *
 * @throws DatabaseSetupError UNSUPPORTED_DATABASE_URL, or the errors of opening a data directory.
 */
async function createPool(given: DatabaseOptions) {
  const options = { ...databaseDefaults, ...given };
  const driver = driverOf(options.url, options.driver);
  if (driver === undefined) {
    throw new DatabaseSetupError(
      "UNSUPPORTED_DATABASE_URL",
      "The database URL must start with pglite:, postgres:// or neon://, and suit the driver.",
    );
  }
  if (driver === "pglite") {
    const { sharePglitePool } = await import("./drivers/share-pglite-pool.ts");
    const { pool, leave } = await sharePglitePool(
      pgliteKey(options.url.slice("pglite:".length)),
      options.snapshot,
    );
    return {
      driver,
      pool,
      close: leave,
      maxConnections: 1,
      limits: undefined,
      hasSessions: true,
      autosuspend: undefined,
    };
  }
  const limits = {
    statementTimeoutMs: options.statementTimeoutMs,
    lockTimeoutMs: options.lockTimeoutMs,
    idleTransactionTimeoutMs: options.idleTransactionTimeoutMs,
  };
  const pooler = options.pooler ?? (isNeonPoolerUrl(options.url) ? "transaction" : "none");
  const hasSessions = pooler === "none";
  const settings = {
    url: options.url,
    listenUrl: directUrl(options.url),
    applicationName: options.applicationName ?? "storefront",
    maxConnections: options.maxConnections,
    limits,
    hasSessions,
    preparesStatements: options.preparesStatements ?? (hasSessions || options.pooler === undefined),
    queryTimeoutMs: options.queryTimeoutMs ?? limits.statementTimeoutMs + 5000,
    connectionLifetimeSeconds: options.connectionLifetimeSeconds,
    connectTimeoutMs: options.connectTimeoutMs,
    onIdleError: (err: Error) => options.logger?.warn({ err }, "idle database connection lost"),
  };
  const { maxConnections, connectTimeoutMs: waitTimeoutMs } = settings;
  const maxWaiting = options.maxWaiting ?? waitingPerConnection * maxConnections;
  const opened = await openPool(driver, settings, options.neonRelayUrl);
  const pool = new ConnectionPool(opened.pool, { maxConnections, maxWaiting, waitTimeoutMs });
  // A database without a session to listen in is polled.
  const canListen = hasSessions || settings.listenUrl !== settings.url;
  const isNeon = driver === "neon" || isNeonUrl(options.url);
  const autosuspend =
    canListen && (options.autosuspend ?? isNeon)
      ? new AutosuspendPolling(options.idle, opened.createListener)
      : undefined;
  const close = async (): Promise<void> => {
    await autosuspend?.close();
    await pool.end();
  };
  return { driver, pool, close, maxConnections, limits, hasSessions, autosuspend };
}

async function openPool(
  driver: "postgres" | "neon",
  settings: PoolSettings,
  relayUrl: string | undefined,
): Promise<ListeningPool> {
  if (driver === "neon") {
    const { createNeonPool } = await import("./drivers/create-neon-pool.ts");
    return createNeonPool({ ...settings, relayUrl });
  }
  const { createPostgresPool } = await import("./drivers/server-pool.ts");
  return createPostgresPool(settings);
}

function pgliteKey(location: string): string {
  if (location === "memory:") return `memory:${randomUUID()}`;
  return location.startsWith("memory:") ? location : resolve(location);
}
