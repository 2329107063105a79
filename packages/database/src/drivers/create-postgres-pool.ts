import { Client, Pool } from "pg";
import { idleTimeoutMs, sessionOptions } from "../connection-pool.ts";
import type { ConnectionPool, PoolSettings } from "../connection-pool.ts";
import { serverPool } from "./server-pool.ts";
import { typeParsers } from "../type-parsers.ts";

/** A pool of TCP connections to a PostgreSQL server. */
export function createPostgresPool(settings: PoolSettings): ConnectionPool {
  const config = {
    connectionString: settings.url,
    application_name: settings.applicationName,
    statement_timeout: settings.statementTimeoutMs,
    options: sessionOptions,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    keepAlive: true,
    types: typeParsers,
  };
  const pool = new Pool({
    ...config,
    max: settings.maxConnections,
    idleTimeoutMillis: idleTimeoutMs,
  });
  pool.on("error", settings.onIdleError);
  return serverPool(pool, () => new Client(config));
}
