import { settledWithin } from "@storefront/process";
import type { EventEmitter } from "node:events";
import { Client, Pool } from "pg";
import { ConnectionSilentError, sqlState } from "../database-errors.ts";
import type { ListeningClient } from "../idle/commit-listener.ts";
import { idleTimeoutMs, keepAliveAfterMs, sessionStart, typeParsers } from "./driver-pool.ts";
import type {
  DriverConnection,
  DriverPool,
  DriverStatement,
  ListeningPool,
  PoolSettings,
  StatementResult,
} from "./driver-pool.ts";

/** The common part of node-postgres's clients and those of Neon's driver. */
interface PooledClient extends Pick<EventEmitter, "on" | "off"> {
  query(statement: DriverStatement): Promise<StatementResult>;
  release(destroy?: boolean | Error): void;
}

/** A client that is not connected yet. */
interface UnconnectedClient extends ListeningClient {
  readonly connection: { readonly stream: { write(bytes: Buffer): unknown } };
}

/**
 * A connection over a client.
 *
 * @param createClient creates another client of the same server, for requests to cancel.
 */
function serverConnection(
  client: PooledClient,
  createClient: () => UnconnectedClient,
  { limits, hasSessions, preparesStatements, queryTimeoutMs }: PoolSettings,
): DriverConnection {
  const cancel = () => requestCancel(createClient(), cancelRequest(client));
  return {
    query(statement) {
      const { text, values, timeoutMs = queryTimeoutMs } = statement;
      const ended = client.query(preparesStatements ? statement : { text, values: values ?? [] });
      if (timeoutMs === 0) return ended;
      const response = unlessSilent(ended, timeoutMs);
      // Without a session's timeout the client itself requests the end.
      return hasSessions ? response : unlessLong(response, limits.statementTimeoutMs, cancel);
    },
    cancel,
    on: (event, listener) => client.on(event, listener),
    off: (event, listener) => client.off(event, listener),
    release: (destroy) => client.release(destroy),
  };
}

/** With the driver's own timeout the connection would count as ready. */
function unlessSilent<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  return settledWithin(timeoutMs, work, () => {
    throw new ConnectionSilentError();
  });
}

/** Cancels a statement that takes too long; it then fails as by the server's own timeout. */
async function unlessLong<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  cancel: () => Promise<void>,
): Promise<Result> {
  let cancelling: Promise<void> | undefined;
  const timer = setTimeout(() => {
    cancelling = cancel();
  }, timeoutMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    await cancelling;
  }
}

/** Code in place of a protocol version: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const cancelRequestCode = 80_877_102;

/** The message that cancels the statement of a client; undefined before it has a key from the server. */
function cancelRequest(client: object): Buffer | undefined {
  if (!("processID" in client) || typeof client.processID !== "number") return undefined;
  if (!("secretKey" in client) || typeof client.secretKey !== "number") return undefined;
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(cancelRequestCode, 4);
  message.writeInt32BE(client.processID, 8);
  message.writeInt32BE(client.secretKey, 12);
  return message;
}

/**
 * Sends the request in place of the start of a session, so that it uses the same path as sessions, TLS and
 * a WebSocket included. The server closes the connection when it has acted on it.
 */
async function requestCancel(
  client: UnconnectedClient,
  request: Buffer | undefined,
): Promise<void> {
  if (request === undefined) return;
  const { connection } = client;
  Object.assign(connection, { startup: () => connection.stream.write(request) });
  client.on("error", () => undefined);
  // Expected: no session begins. When the server is unavailable the statement does not end either, which its
  // own timeout detects.
  await client.connect().catch(() => undefined);
}

/** The common part of node-postgres's pool and that of Neon's driver. */
interface ClientPool extends Pick<DriverPool, "end"> {
  connect(): Promise<PooledClient>;
  readonly totalCount: number;
  readonly idleCount: number;
}

/** Longest probe of a server, in milliseconds. */
const probeTimeoutMs = 3000;

/** A pool of connections to a server; see {@link serverConnection}. */
export function serverPool(
  pool: ClientPool,
  createClient: () => UnconnectedClient,
  settings: PoolSettings,
): DriverPool {
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw silenceOf(error) ?? error;
      });
      return serverConnection(client, createClient, settings);
    },
    async probe() {
      const client = createClient();
      client.on("error", () => undefined);
      const select = async () => {
        await client.connect();
        await client.query({ text: "select 1" });
      };
      try {
        await unlessSilent(select(), probeTimeoutMs);
      } catch (error) {
        // A rejection is a response; later statements get their own.
        const silence = silenceOf(error);
        if (silence !== undefined) throw silence;
      } finally {
        // Not awaited: on a silent network it would never end.
        client.end().catch(() => undefined);
      }
    },
    dropIdle() {
      for (let count = pool.idleCount; count > 0; count -= 1) {
        pool.connect().then(
          (client) => client.release(true),
          () => undefined,
        );
      }
    },
    end: () => pool.end(),
    usage: () => ({ openCount: pool.totalCount, idleCount: pool.idleCount }),
  };
}

/** The error when no connection was opened in time: drivers report it by message, the system by code. */
function silenceOf(error: unknown): ConnectionSilentError | undefined {
  if (error instanceof ConnectionSilentError) return error;
  if (!(error instanceof Error) || sqlState(error) !== undefined) return undefined;
  const said = `${error.message} ${"code" in error ? String(error.code) : ""}`;
  return /timeout|timedout/i.test(said) ? new ConnectionSilentError({ cause: error }) : undefined;
}

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
