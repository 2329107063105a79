import type { Server } from "node:http";
import type { Socket } from "node:net";

/** What is known of a client's connection. */
export interface Connection {
  /** Who connected; a socket that is gone has forgotten it. */
  readonly remoteAddress: string | undefined;
  /** Bytes that were sent before the answer that is next. */
  sentBytes: number;
}

/** The connections of a server: gives that of a request's socket. */
export function watchConnections(server: Server): (socket: Socket) => Connection {
  const connections = new WeakMap<Socket, Connection>();
  const begin = (socket: Socket): Connection => {
    const connection = { remoteAddress: socket.remoteAddress, sentBytes: 0 };
    connections.set(socket, connection);
    return connection;
  };
  server.on("connection", begin);
  return (socket) => connections.get(socket) ?? begin(socket);
}

/**
 * Bytes of the answer that has just ended: its head and its body as they were sent. Those of answers
 * to requests that came in one piece may be counted with the first of them.
 */
export function countSentBytes(connection: Connection, { bytesWritten }: Socket): number {
  const sentBytes = bytesWritten - connection.sentBytes;
  connection.sentBytes = bytesWritten;
  return sentBytes;
}
