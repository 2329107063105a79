import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Gives every request that node:http refuses by itself the error body of all others: malformed
 * ones, ones with too long headers, CONNECT and unknown expectations.
 */
export function answerSocketErrors(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, response) => answers.set(socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const current = answers.get(socket);
    const isHalfSent = current?.headersSent === true && !current.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || isHalfSent) socket.destroy();
    else socket.end(error.code === "HPE_HEADER_OVERFLOW" ? headersTooLarge() : malformed());
  });
  server.on("connect", (_request, socket) => {
    // node:http has let go of the socket: nobody else hears of its errors or closes it.
    socket.on("error", () => socket.destroy());
    socket.end(noTunnel(), () => socket.destroy());
  });
}

const headersTooLarge = () =>
  rawAnswer(431, "INVALID_ARGUMENT", "The request line and the headers must be at most 16 KiB.");

const malformed = () =>
  rawAnswer(400, "INVALID_ARGUMENT", "The request must be well-formed HTTP/1.1.");

const noTunnel = () =>
  rawAnswer(405, "METHOD_NOT_ALLOWED", "The method must not be CONNECT.", [
    "Allow: GET, HEAD, POST, OPTIONS",
  ]);

// Sent straight to the socket, because no request could be made of what came.
function rawAnswer(status: number, error: string, message: string, headers: string[] = []): string {
  const body = JSON.stringify({ message, error });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `X-Request-Id: ${randomUUID()}`,
    "Connection: close",
    ...headers,
    "",
    body,
  ].join("\r\n");
}
