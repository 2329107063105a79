import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo, Server as TcpServer, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { TlsMaterial } from "../tls/open-tls-credentials.ts";
import type { ServerTls } from "./server-tls.ts";

// Longer than clients keep an idle connection open, so that the client always closes it first:
// a request sent into a closing connection would fail.
const keepAliveTimeout = 90_000;

// A silent client is disconnected after this time.
const handshakeTimeout = 10_000;

/** An HTTP server that has not begun to listen. */
export interface HttpServer {
  server: Server | TlsServer;
  /** Whether the client may make RPCs. */
  mayCall: (socket: Socket) => boolean;
  /** Closes every connection, also during its TLS handshake. */
  cut: () => void;
}

/** A server of HTTP/1.1, with TLS if it is given. */
export function createHttpServer(
  tls: ServerTls | undefined,
  listener: RequestListener,
): HttpServer {
  if (tls !== undefined) return createHttpsServer(tls, listener);
  const server = createServer({ keepAliveTimeout }, listener);
  return { server, mayCall: () => true, cut: () => server.closeAllConnections() };
}

/**
 * A client without a certificate completes the handshake anyway, since probes and scrapers have none;
 * `mayCall` rejects its RPCs.
 */
function createHttpsServer(
  { credentials, clientAuth = "none" }: ServerTls,
  listener: RequestListener,
): HttpServer {
  const server = createTlsServer(
    {
      keepAliveTimeout,
      handshakeTimeout,
      ...partsOf(credentials.current),
      requestCert: clientAuth !== "none",
      rejectUnauthorized: false,
    },
    listener,
  );
  const stopFollowing = credentials.onChange((material) => {
    server.setSecureContext(partsOf(material));
  });
  server.once("close", stopFollowing);

  return {
    server,
    mayCall: clientAuth === "require" ? hasTrustedCertificate : () => true,
    cut: trackConnections(server),
  };
}

/** Tracks the connections of a server. @returns closes all of them, also during their TLS handshake */
export function trackConnections(server: TcpServer): () => void {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  return () => {
    for (const socket of connections) socket.destroy();
  };
}

/** Listens; `port` 0 lets the system choose. @returns the port @throws ListenError */
export async function listenOn(server: TcpServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(port, error)));
    server.listen({ port, host }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function partsOf({ cert, key, ca }: TlsMaterial): Omit<TlsMaterial, "secureContext"> {
  return { cert, key, ca };
}

function hasTrustedCertificate(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.authorized;
}

/** Most bytes that are read of a rejected body. */
const maxDiscardedBytes = 16 * 1024 * 1024;

/**
 * Reads and drops the rest of the body of a request that has its response. Closing the connection
 * instead could reset it before the client has read the response; an unread body would block the
 * connection's next request forever. A client that continues to send is disconnected.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let sizeBytes = 0;
  request.removeAllListeners("readable");
  request.removeAllListeners("data");
  request.on("data", (piece: Buffer) => {
    sizeBytes += piece.length;
    if (sizeBytes > maxDiscardedBytes) request.destroy();
  });
  request.resume();
}

/** A port that a server cannot listen on; the message is one sentence for the operator. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly port: number;

  constructor(message: string, port: number, cause: unknown) {
    super(message, { cause });
    this.port = port;
  }
}

/** The error with the port, and whether another process uses it. */
export function listenError(port: number, cause: Error): ListenError {
  const taken = "code" in cause && cause.code === "EADDRINUSE";
  const message = taken
    ? `Port ${port} is in use by another process.`
    : `Cannot listen on port ${port}: ${cause.message}.`;
  return new ListenError(message, port, cause);
}
