import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";

/** A client's connection. */
export interface Connection {
  /** Stays after the socket is closed, whose own is then undefined. */
  readonly remoteAddress: string | undefined;
  /** Bytes that were sent before the next response. */
  sentBytes: number;
}

/** Returns the connection of a request's socket. */
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
 * Bytes of the response that has just ended: its head and its body as they were sent. Those of
 * pipelined requests may be counted with the first of them.
 */
export function countSentBytes(connection: Connection, { bytesWritten }: Socket): number {
  const sentBytes = bytesWritten - connection.sentBytes;
  connection.sentBytes = bytesWritten;
  return sentBytes;
}

/** Whether a request has a body, which may not have arrived yet. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": coding } = headers;
  return coding !== undefined || Number(length ?? 0) > 0;
}

/** Whether the body of a request is not read; that of a GET has no meaning (RFC 9110, 9.3.1). */
export function ignoresBody({ method }: IncomingMessage): boolean {
  return method !== "POST";
}

/**
 * Makes a response the last one of its connection if it is sent before the whole body of its request has arrived
 * (RFC 9112, 9.3). The connection is then closed in stages (9.6): the rest of the body is read and dropped first,
 * because unread bytes reset the connection, and a reset can take the response from the client.
 *
 * @param lingerMs longest wait for the rest of the body
 */
export function closeUnlessComplete(
  request: IncomingMessage,
  response: ServerResponse,
  lingerMs: number,
): void {
  const { socket } = request;
  const destroySoon = () => Socket.prototype.destroySoon.call(socket);
  response.shouldKeepAlive = false;
  // What node:http calls once the last response of a connection is sent.
  socket.destroySoon = () => {
    if (request.complete) {
      destroySoon();
      return;
    }
    socket.end();
    request.once("end", destroySoon);
    request.resume();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  };
}
