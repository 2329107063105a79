import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Exchange } from "./exchange.ts";

/** Whether a request has a body, which may not have arrived yet. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": coding } = headers;
  return coding !== undefined || Number(length ?? 0) > 0;
}

/** Whether the body of a request is not read; that of a GET or DELETE has no meaning (RFC 9110, 9.3). */
export function ignoresBody({ method }: IncomingMessage): boolean {
  return method !== "POST" && method !== "PATCH";
}

/**
 * Makes a response the last one of its connection if it is sent before the whole body of its request has arrived
 * (RFC 9112, 9.3). The connection is then closed in stages (9.6): the rest of the body is read and dropped first,
 * because unread bytes reset the connection, and a reset can take the response from the client.
 *
 * @param lingerMs longest wait for the rest of the body
 * @param isDraining whether the response is the last one of its connection in any case
 */
export function closeUnlessComplete(
  { request, response }: Pick<Exchange, "request" | "response">,
  lingerMs: number,
  isDraining: () => boolean,
): void {
  const { socket } = request;
  const { shouldKeepAlive } = response;
  const destroySoon = () => Socket.prototype.destroySoon.call(socket);
  response.shouldKeepAlive = false;
  request.once("end", () => {
    response.shouldKeepAlive = shouldKeepAlive && !isDraining();
  });
  if (ignoresBody(request)) request.resume();
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
