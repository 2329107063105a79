import type { ConnectionPool, PoolSettings } from "../connection-pool.ts";
import { serverConnection } from "./server-connection.ts";
import type { PooledClient, UnconnectedClient } from "./server-connection.ts";

/** What node-postgres's pool and that of Neon's driver have in common. */
interface ClientPool extends Pick<
  ConnectionPool,
  "end" | "totalCount" | "idleCount" | "waitingCount"
> {
  connect(): Promise<PooledClient>;
}

/** A pool of connections to a server; see {@link serverConnection}. */
export function serverPool(
  pool: ClientPool,
  createClient: () => UnconnectedClient,
  settings: PoolSettings,
): ConnectionPool {
  return {
    connect: async () => serverConnection(await pool.connect(), createClient, settings),
    end: () => pool.end(),
    get totalCount() {
      return pool.totalCount;
    },
    get idleCount() {
      return pool.idleCount;
    },
    get waitingCount() {
      return pool.waitingCount;
    },
  };
}
