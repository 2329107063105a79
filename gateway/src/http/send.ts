import { TRPCError } from "@trpc/server";
import { methodNotAllowed, publicErrorOf, retryAfterOf } from "../errors/public-error.ts";
import type { PublicError } from "../errors/public-error.ts";
import { preflightHeaders } from "./cors.ts";
import { isNoneMatch } from "./conditions.ts";
import type { Exchange } from "./exchange.ts";
import { jsonType } from "./headers.ts";
import { parseTarget } from "./target.ts";
import { Representations } from "./representations.ts";
import type { ListedBody, Representation } from "./representations.ts";

export interface WholeResponse {
  status: number;
  body: Buffer;
  /** Default: JSON. */
  contentType?: string | undefined;
  /** As of an endpoint. */
  listed?: ListedBody | undefined;
  /** Names and values in turn, without those of the body. */
  headers: readonly string[];
}

export type Messages = Pick<Exchange, "request" | "response">;

/**
 * Sends the head of a response: every other function that sends calls this one. Does nothing once a head is sent or
 * the client has left.
 *
 * @param headers all of them: names and values in turn
 * @returns whether it is sent
 */
export function sendHead({ response }: Messages, status: number, headers: string[]): boolean {
  if (response.headersSent || response.destroyed) return false;
  response.writeHead(status, headers);
  return true;
}

/**
 * Sends a head and a body; the response to HEAD gets no body.
 *
 * @param headers as of `sendHead`
 * @param body text has a character per byte (`latin1`)
 */
export function send(
  messages: Messages,
  status: number,
  headers: string[],
  body?: string | Buffer,
): void {
  if (!sendHead(messages, status, headers)) return;
  messages.response.end(messages.request.method === "HEAD" ? undefined : body, "latin1");
}

/** Sends a response. With status 200 it has an entity tag and a content coding, or becomes 304. */
export async function sendResponse(exchange: Exchange, whole: WholeResponse): Promise<void> {
  const { status, body, contentType, listed, headers } = whole;
  if (status !== 200) {
    sendBytes(exchange, whole);
    return;
  }
  const all = new Representations(body, { shared: headers, contentType, listed });
  const accepted = exchange.request.headers["accept-encoding"];
  sendRepresentation(exchange, await all.prepare(accepted, "shared"), []);
}

/**
 * Sends a representation with status 200, or 304 to a client that has it.
 *
 * @param ownHeaders those of this response alone
 */
export function sendRepresentation(
  exchange: Exchange,
  { body, entityTag, next, headers: ofBody, unchangedHeaders }: Representation,
  ownHeaders: readonly string[],
): void {
  const headers =
    next === undefined ? ownHeaders : [...ownHeaders, "Link", nextLink(exchange.url, next)];
  const { method, headers: requested } = exchange.request;
  const isRead = method === "GET" || method === "HEAD";
  if (isRead && isNoneMatch(requested["if-none-match"], entityTag)) {
    send(exchange, 304, [...headers, ...unchangedHeaders]);
  } else {
    send(exchange, 200, [...headers, ...ofBody], body);
  }
}

/** A `Link` to the part of a list that begins at a cursor, relative to the URL of the part before (RFC 8288). */
function nextLink(url: string, cursor: string): string {
  const query = new URLSearchParams(parseTarget(url).query);
  query.delete("page");
  query.set("cursor", cursor);
  return `<?${query.toString()}>; rel="next"`;
}

/** Sends the public error of a failure, which goes into the log if it is the gateway's or a service's. */
export function sendError(exchange: Exchange, error: unknown, headers: readonly string[]): void {
  const failure = publicErrorOf(error);
  const { status } = failure;
  if (status >= 500) exchange.failure = loggedFailureOf(error);
  const advice =
    status === 503 ? ["Retry-After", String(retryAfterOf(error))] : status === 401 ? challenge : [];
  sendFailure(exchange, failure, [...headers, ...advice]);
}

/** Names the kind of token that a request lacks (RFC 6750). */
export const challenge: [name: string, value: string] = ["WWW-Authenticate", "Bearer"];

/** What the log has of a failure: its cause where its own message is public. */
export function loggedFailureOf(error: unknown): unknown {
  return error instanceof TRPCError ? (error.cause ?? error) : error;
}

export function sendFailure(
  exchange: Exchange,
  { status, error, message }: PublicError,
  headers: readonly string[],
): void {
  const body = Buffer.from(JSON.stringify({ message, error }));
  sendBytes(exchange, { status, body, headers: [...headers, "Cache-Control", "no-store"] });
}

/**
 * Sends the methods of a path: 204 to OPTIONS, preflights among them, and 405 to any other method, which the path
 * does not have.
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
  { status, body, contentType = jsonType, headers }: WholeResponse,
): void {
  const ofBody = ["Content-Type", contentType, "Content-Length", String(body.length)];
  if (status === 204) send(exchange, status, [...headers]);
  else send(exchange, status, [...headers, ...ofBody], body);
}
