import { readTraceParent } from "@storefront/telemetry";
import type { Logger, Span, TraceParent, Tracer } from "@storefront/telemetry";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CacheResult } from "./cache-result.ts";
import { countSentBytes } from "./connections.ts";
import type { Connection } from "./connections.ts";
import type { ReadClientAddress } from "./client-address.ts";
import { beginRequestSpan, pathOf } from "./request-span.ts";

/** One request and its answer on their way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request target as sent; Express shortens the one of the request. */
  readonly url: string;
  readonly requestId: string;
  readonly connection: Connection;
  /** What the client says of its trace. */
  readonly parent: TraceParent | undefined;
  /** Undefined when the request's trace is not sampled. */
  readonly span: Span | undefined;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** What was asked for, as metrics call it: an operation's id, or what else there is beside them. */
  operation: string;
  /** Path of what was asked for, with parameters in braces; undefined for what has none. */
  route: string | undefined;
  /** How the response cache answered; undefined when it had no part in it. */
  cacheResult: CacheResult | undefined;
  /** What made the answer fail, for the log. */
  failure: unknown;
  /** Whether the answer goes on for as long as the client likes. */
  isEndless: boolean;
}

const requestIdRule = /^[\x21-\x7e]{1,128}$/;

/** Of a request that is answered before it is known what it asks for, or asks for nothing that there is. */
const unknownOperation = "unknown";

/**
 * Begins an exchange. A sent request id is kept if it is 1 to 128 visible ASCII characters.
 *
 * @param tracer undefined traces nothing
 */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
  tracer: Tracer | undefined,
): Exchange {
  const { "x-request-id": sentId, traceparent, tracestate } = request.headers;
  const parent =
    typeof traceparent === "string" ? readTraceParent(traceparent, tracestate) : undefined;
  return {
    request,
    response,
    url: request.url ?? "",
    requestId: typeof sentId === "string" && requestIdRule.test(sentId) ? sentId : randomUUID(),
    connection,
    parent,
    span: tracer === undefined ? undefined : beginRequestSpan(tracer, request, parent),
    startedAt: performance.now(),
    operation: unknownOperation,
    route: undefined,
    cacheResult: undefined,
    failure: undefined,
    isEndless: false,
  };
}

/** Writes the one line of a request that has ended: errors for defects, warnings for upstreams. */
export function logExchange(
  logger: Logger,
  exchange: Exchange,
  readAddress: ReadClientAddress,
): void {
  const { request, response, url, requestId, connection, span, startedAt, failure } = exchange;
  const sentBytes = countSentBytes(connection, request.socket);
  if (failure === undefined && !logger.isLevelEnabled("info")) return;
  const { traceId, spanId } = span ?? exchange.parent ?? {};
  const line = {
    requestId,
    traceId,
    spanId,
    clientAddress: readAddress({ headers: request.headers, socket: connection }),
    method: request.method,
    path: pathOf(url),
    operation: exchange.operation,
    status: response.statusCode,
    cache: exchange.cacheResult,
    sentBytes,
    durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
    ...(response.writableFinished ? {} : { aborted: true }),
  };
  if (failure === undefined) logger.info(line, "request");
  else if (response.statusCode === 500) logger.error({ ...line, err: failure }, "request");
  else logger.warn({ ...line, cause: causeOf(failure) }, "request");
}

function causeOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
