import { Client, Pool } from "@neondatabase/serverless";
import type { ClientConfig } from "@neondatabase/serverless";
import { idleTimeoutMs, sessionStart, typeParsers } from "./driver-pool.ts";
import type { ListeningPool, PoolSettings } from "./driver-pool.ts";
import { serverPool } from "./server-pool.ts";

/** A pool of WebSocket connections to Neon, or to any PostgreSQL server behind a relay. */
export function createNeonPool(
  settings: PoolSettings & { relayUrl: string | undefined },
): ListeningPool {
  const config = {
    connectionString: postgresUrl(settings.url),
    ...sessionStart(settings),
    connectionTimeoutMillis: settings.connectTimeoutMs,
    types: typeParsers,
  };
  const pool = new Pool({
    ...config,
    max: settings.maxConnections,
    idleTimeoutMillis: idleTimeoutMs,
    maxLifetimeSeconds: settings.connectionLifetimeSeconds,
  });
  const RelayedClient = clientFor(settings.relayUrl);
  pool.Client = RelayedClient;
  pool.on("error", settings.onIdleError);
  const listening = { ...config, connectionString: postgresUrl(settings.listenUrl) };
  return {
    pool: serverPool(pool, () => new RelayedClient(config), settings),
    createListener: () => new RelayedClient(listening),
  };
}

function postgresUrl(url: string): string {
  return new URL(url.replace(/^neon:/, "postgres:")).href;
}

/**
 * Closes a connection that ends before it is open. The driver would send the message that ends a session. That
 * throws so early, uncaught, and the attempt to connect continues.
 */
class SessionSocket extends WebSocket {
  override send(data: Parameters<WebSocket["send"]>[0]): void {
    if (this.readyState === WebSocket.CONNECTING) this.close();
    else super.send(data);
  }
}

/** Settings go on each client, since the driver's static ones would be shared by every pool. */
function clientFor(relayUrl: string | undefined): typeof Client {
  const relay = relayUrl === undefined ? undefined : new URL(relayUrl);
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      // The shortcut sends a cleartext password, which a server with SCRAM rejects.
      this.neonConfig.pipelineConnect = false;
      this.neonConfig.webSocketConstructor = SessionSocket;
      if (relay !== undefined) {
        this.neonConfig.useSecureWebSocket = relay.protocol === "wss:";
        this.neonConfig.wsProxy = (host, port) =>
          `${relay.host}${relay.pathname}?address=${host}:${port}`;
      }
    }
  };
}
