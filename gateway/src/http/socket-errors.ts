import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { PublicError } from "../errors/public-error.ts";
import { headerPairs } from "./headers.ts";
import { ignoresBody } from "./unfinished-body.ts";

/**
 * Gives requests that node:http refuses the error body of all others: malformed ones, ones with too long headers or
 * too slow to arrive, and CONNECT.
 *
 * @param headers of every response: names and values in turn
 */
export function respondToSocketErrors(server: Server, headers: readonly string[]): void {
  const headerLines = headerPairs(headers).map((pair) => pair.join(": "));
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, response) => responses.set(socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const current = responses.get(socket);
    const isHalfSent = current?.headersSent === true && !current.writableFinished;
    if (error.code === requestTimeout && current !== undefined && isUnneededBody(current)) return;
    const isSilent = "bytesRead" in socket && socket.bytesRead === 0;
    if (error.code === "ECONNRESET" || !socket.writable || isHalfSent || isSilent) socket.destroy();
    else socket.end(rawResponse(refusals[error.code ?? ""] ?? malformed, headerLines));
  });
  server.on("connect", (_request, socket) => {
    // node:http neither handles errors of the socket any more nor closes it.
    socket.on("error", () => socket.destroy());
    const allow = "Allow: GET, HEAD, POST, OPTIONS";
    socket.end(rawResponse(noTunnel, [...headerLines, allow]), () => socket.destroy());
  });
}

/** Whether only a body has not arrived that the response, the last one, does not depend on. */
function isUnneededBody({ req, headersSent }: ServerResponse): boolean {
  return !req.complete && (headersSent || ignoresBody(req));
}

const requestTimeout = "ERR_HTTP_REQUEST_TIMEOUT";

const invalid = (status: number, message: string): PublicError => {
  return { status, error: "INVALID_ARGUMENT", message };
};

const malformed = invalid(400, "The request must be well-formed HTTP/1.1.");

/** By the code of node:http's error. */
const refusals: Partial<Record<string, PublicError>> = {
  HPE_HEADER_OVERFLOW: invalid(431, "The request line and the headers must be at most 16 KiB."),
  [requestTimeout]: invalid(400, "The request must arrive in time."),
};

const noTunnel: PublicError = {
  status: 405,
  error: "METHOD_NOT_ALLOWED",
  message: "The method must not be CONNECT.",
};

// For the socket, since there is no response object.
function rawResponse({ status, error, message }: PublicError, headerLines: string[]): string {
  const body = JSON.stringify({ message, error });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...headerLines,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `X-Request-Id: ${randomUUID()}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
