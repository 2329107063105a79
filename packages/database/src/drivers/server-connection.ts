import type { EventEmitter } from "node:events";
import { ConnectionSilentError } from "../connection-silent-error.ts";
import type { DriverStatement, PooledConnection, StatementResult } from "../connection-pool.ts";

/** What node-postgres's clients and those of Neon's driver have in common. */
export interface ServerClient extends Pick<EventEmitter, "on" | "off"> {
  query(statement: DriverStatement): Promise<StatementResult>;
}

/** A client of a pool. */
export interface PooledClient extends ServerClient {
  release(destroy?: boolean): void;
}

/** A client that is not connected yet. */
export interface UnconnectedClient extends Pick<EventEmitter, "on"> {
  readonly connection: { readonly stream: { write(bytes: Buffer): unknown } };
  connect(): Promise<unknown>;
}

/**
 * A connection over a client.
 *
 * @param createClient makes another client of the same server, by which it is asked to cancel.
 * @param queryTimeoutMs longest wait for the end of a statement
 */
export function serverConnection(
  client: PooledClient,
  createClient: () => UnconnectedClient,
  queryTimeoutMs: number,
): PooledConnection {
  return {
    query: (statement) =>
      unlessSilent(client.query(statement), statement.timeoutMs ?? queryTimeoutMs),
    cancel: () => requestCancel(createClient(), cancelRequest(client)),
    on: (event, listener) => client.on(event, listener),
    off: (event, listener) => client.off(event, listener),
    release: (destroy) => client.release(destroy),
  };
}

/** The driver's own timeout would take the connection for one that is ready for more. */
async function unlessSilent<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  if (timeoutMs === 0) return work;
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new ConnectionSilentError()), timeoutMs);
  try {
    return await Promise.race([work, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Code in the place of a protocol version: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const cancelRequestCode = 80_877_102;

/** The message that asks for the end of what a client runs; undefined before the server gave it a key. */
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
 * Sends the request in the place of the start of a session, so that it goes the way that sessions go,
 * TLS and a WebSocket included. The server closes the connection when it has acted on it.
 */
async function requestCancel(
  client: UnconnectedClient,
  request: Buffer | undefined,
): Promise<void> {
  if (request === undefined) return;
  const { connection } = client;
  Object.assign(connection, { startup: () => connection.stream.write(request) });
  client.on("error", () => undefined);
  // That no session begins is how it is meant to end. Where the server cannot be asked the statement
  // does not end either, which its own waiting notices.
  await client.connect().catch(() => undefined);
}
