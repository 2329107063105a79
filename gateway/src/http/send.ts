import { TRPCError } from "@trpc/server";
import { methodNotAllowed, publicErrorOf, retryAfterOf } from "../errors/public-error.ts";
import type { PublicError } from "../errors/public-error.ts";
import { preflightHeaders } from "./cors.ts";
import { isNoneMatch } from "./conditions.ts";
import type { Exchange } from "./exchange.ts";
import { jsonType } from "./headers.ts";
import { Representations } from "./representations.ts";
import type { Representation } from "./representations.ts";

/** A body to be sent. */
export interface WholeBody {
  status: number;
  body: Buffer;
  /** Default: JSON. */
  contentType?: string | undefined;
  /** Names and values in turn, without those that this module sets. */
  headers: string[];
}

/**
 * Sends a response, unless one is under way or the client has left. HEAD gets no body.
 *
 * @param headers all of them: names and values in turn
 * @param body text has a character per byte (`latin1`)
 */
export function send(
  { request, response }: Exchange,
  status: number,
  headers: string[],
  body?: string | Buffer,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, headers);
  response.end(request.method === "HEAD" ? undefined : body, "latin1");
}

/**
 * Sends a body. One with status 200 has an entity tag, is compressed if the client likes, and shrinks to 304 when the
 * client has it already.
 */
export async function sendResponse(exchange: Exchange, whole: WholeBody): Promise<void> {
  const { status, body, contentType, headers } = whole;
  if (status !== 200) {
    sendBytes(exchange, whole);
    return;
  }
  const all = new Representations(body, { shared: headers, private: headers, contentType });
  const accepted = exchange.request.headers["accept-encoding"];
  sendRepresentation(exchange, await all.prepare(accepted, "shared"), []);
}

/** Sends a representation with status 200, or 304 to a client that has it; `headers` are those of this response alone. */
export function sendRepresentation(
  exchange: Exchange,
  { body, entityTag, headers: ofBody, unchangedHeaders }: Representation,
  headers: readonly string[],
): void {
  const { method, headers: asked } = exchange.request;
  if (method !== "POST" && isNoneMatch(asked["if-none-match"], entityTag)) {
    send(exchange, 304, [...headers, ...unchangedHeaders]);
  } else {
    send(exchange, 200, [...headers, ...ofBody], body);
  }
}

/** Sends what a client may know of a failure; the log has the failure itself. */
export function sendError(exchange: Exchange, error: unknown, headers: string[]): void {
  const failure = publicErrorOf(error);
  const { status } = failure;
  if (status >= 500) exchange.failure = error instanceof TRPCError ? (error.cause ?? error) : error;
  const retry = status === 503 ? ["Retry-After", String(retryAfterOf(error))] : [];
  sendFailure(exchange, failure, [...headers, ...retry]);
}

/** Sends a failure in the form that all have. */
export function sendFailure(
  exchange: Exchange,
  { status, error, message }: PublicError,
  headers: string[],
): void {
  const body = Buffer.from(JSON.stringify({ message, error }));
  sendBytes(exchange, { status, body, headers: [...headers, "Cache-Control", "no-store"] });
}

/**
 * Sends the methods that a path takes: 204 to OPTIONS, preflights among them, and 405 to any other method, which
 * the path does not take.
 *
 * @param allow value of the header `Allow`
 */
export function sendAllowedMethods(
  exchange: Exchange,
  allow: string,
  headers: readonly string[],
): void {
  const { request } = exchange;
  const withAllow = [...headers, "Allow", allow];
  if (request.method !== "OPTIONS") {
    sendError(exchange, methodNotAllowed(allow), withAllow);
    return;
  }
  exchange.operation = "options";
  const requested = request.headers["access-control-request-headers"];
  send(exchange, 204, [...withAllow, ...preflightHeaders(allow, requested)]);
}

function sendBytes(
  exchange: Exchange,
  { status, body, contentType = jsonType, headers }: WholeBody,
): void {
  const ofBody = ["Content-Type", contentType, "Content-Length", String(body.length)];
  send(exchange, status, [...headers, ...ofBody], body);
}
