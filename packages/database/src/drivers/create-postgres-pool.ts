import { Pool } from "pg";
import { idleTimeoutMs, sessionOptions } from "../connection-pool.ts";
import type { ConnectionPool, PoolSettings } from "../connection-pool.ts";
import { typeParsers } from "../type-parsers.ts";

/** A pool of TCP connections to a PostgreSQL server. */
export function createPostgresPool(settings: PoolSettings): ConnectionPool {
  const pool = new Pool({
    connectionString: settings.url,
    application_name: settings.applicationName,
    max: settings.maxConnections,
    statement_timeout: settings.statementTimeoutMs,
    options: sessionOptions,
    idleTimeoutMillis: idleTimeoutMs,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    keepAlive: true,
    types: typeParsers,
  });
  pool.on("error", settings.onIdleError);
  return pool;
}
