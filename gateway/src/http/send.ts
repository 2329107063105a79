import { TRPCError } from "@trpc/server";
import { publicErrorOf, retryAfterOf } from "../errors/public-error.ts";
import { chooseCoding, encodeBody } from "./content-coding.ts";
import { entityTagOf, isNoneMatch } from "./entity-tag.ts";
import type { Exchange } from "./exchange.ts";
import { jsonType } from "./headers.ts";
import type { Representation } from "./representations.ts";

/** A response to one exchange. */
export interface WholeAnswer {
  status: number;
  body: Buffer;
  /** Default: JSON. */
  contentType?: string | undefined;
  /** Names and values in turn, without those that this module sets. */
  headers: string[];
}

/**
 * Sends an answer. One with status 200 has an entity tag, is compressed if the client likes, and
 * shrinks to 304 when the client has it already.
 */
export async function sendResponse(exchange: Exchange, answer: WholeAnswer): Promise<void> {
  const { request, response } = exchange;
  if (answer.status !== 200) {
    sendBytes(exchange, answer);
    return;
  }
  const coding = chooseCoding(request.headers["accept-encoding"], answer.body.length);
  const entityTag = entityTagOf(answer.body, coding);
  const headers = [...answer.headers, "ETag", entityTag];
  if (request.method !== "POST" && isNoneMatch(request.headers["if-none-match"], entityTag)) {
    response.writeHead(304, headers).end();
    return;
  }
  if (coding !== "identity") headers.push("Content-Encoding", coding);
  sendBytes(exchange, { ...answer, body: await encodeBody(answer.body, coding), headers });
}

/** Sends a representation with status 200, or 304 to who has it; `headers` are those of this answer alone. */
export function sendRepresentation(
  { request, response }: Exchange,
  representation: Representation,
  headers: string[],
): void {
  if (response.headersSent || response.destroyed) return;
  if (
    request.method !== "POST" &&
    isNoneMatch(request.headers["if-none-match"], representation.entityTag)
  ) {
    headers.push(...representation.unchangedHeaders);
    response.writeHead(304, headers).end();
    return;
  }
  headers.push(...representation.headers);
  response.writeHead(200, headers);
  response.end(request.method === "HEAD" ? undefined : representation.body, "latin1");
}

/** Sends what a client is told of a failure, and keeps the failure itself for the log. */
export function sendError(exchange: Exchange, error: unknown, headers: string[]): void {
  const { status, error: code, message } = publicErrorOf(error);
  if (status >= 500) exchange.failure = error instanceof TRPCError ? (error.cause ?? error) : error;
  const retry = status === 503 ? ["Retry-After", String(retryAfterOf(error))] : [];
  sendBytes(exchange, {
    status,
    body: Buffer.from(JSON.stringify({ message, error: code })),
    headers: [...headers, "Cache-Control", "no-store", ...retry],
  });
}

function sendBytes(
  { request, response }: Exchange,
  { status, body, contentType = jsonType, headers }: WholeAnswer,
): void {
  if (response.headersSent || response.destroyed) return;
  headers.push("Content-Type", contentType, "Content-Length", String(body.length));
  response.writeHead(status, headers);
  response.end(request.method === "HEAD" ? undefined : body);
}
