import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { ConnectionPool } from "./connection-pool.ts";
import { DatabaseSetupError } from "./database-errors.ts";
import { databaseDefaults } from "./database-options.ts";
import type { DatabaseOptions } from "./database-options.ts";
import { directUrl, driverOf, isNeonPoolerUrl, isNeonUrl } from "./database-url.ts";
import type { ListeningPool, PoolSettings } from "./drivers/driver-pool.ts";
import { AutosuspendPolling } from "./idle/polling.ts";

/**
 * How many may wait for each connection. Reads take about a millisecond, so that the last of them
 * waits for less than callers do; a queue that is longer only makes all of them late.
 */
const waitingPerConnection = 20;

/**
 * The pool that a database's URL asks for, and what its use depends on: `limits` that a server has and
 * PGlite has not, and `autosuspend` of a database that is suspended while it is not used. The driver is
 * loaded here, the others never: a process has one, and PGlite alone takes 20 MB.
 *
 * @throws DatabaseSetupError UNSUPPORTED_DATABASE_URL, or what opening a data directory throws.
 */
export async function createPool(given: DatabaseOptions) {
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
    const { pool, leave } = await sharePglitePool(pgliteKey(options.url.slice("pglite:".length)), {
      snapshot: options.snapshot,
      extensions: options.pgliteExtensions,
    });
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
  // Without a session to listen in, it has to be polled.
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
