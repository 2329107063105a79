import { Client, Pool } from "pg";
import { idleTimeoutMs, keepAliveAfterMs, sessionStart } from "./driver-pool.ts";
import type { ListeningPool, PoolSettings } from "./driver-pool.ts";
import { serverPool } from "./server-pool.ts";
import { typeParsers } from "../type-parsers.ts";

/** A pool of TCP connections to a PostgreSQL server. */
export function createPostgresPool(settings: PoolSettings): ListeningPool {
  const config = {
    connectionString: settings.url,
    ...sessionStart(settings),
    connectionTimeoutMillis: settings.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    types: typeParsers,
  };
  const pool = new Pool({
    ...config,
    max: settings.maxConnections,
    idleTimeoutMillis: idleTimeoutMs,
    maxLifetimeSeconds: settings.connectionLifetimeSeconds,
  });
  pool.on("error", settings.onIdleError);
  return {
    pool: serverPool(pool, () => new Client(config), settings),
    createListener: () => new Client({ ...config, connectionString: settings.listenUrl }),
  };
}
