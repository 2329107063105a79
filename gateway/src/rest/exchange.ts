import type { Logger } from "@storefront/telemetry";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CacheResult } from "../cache/cache-result.ts";

/** One request and its answer on their way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request target as sent; Express shortens the one of the request. */
  readonly url: string;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** What was asked for, as metrics call it: an operation's id, or what else there is beside them. */
  operation: string;
  /** How the response cache answered; undefined when it had no part in it. */
  cacheResult: CacheResult | undefined;
  /** What made the answer fail, for the log. */
  failure: unknown;
  /** Whether the answer goes on for as long as the client likes. */
  isEndless: boolean;
}

const requestIdRule = /^[\x21-\x7e]{1,128}$/;
const traceparentRule = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Of a request that is answered before it is known what it asks for, or asks for nothing that there is. */
const unknownOperation = "unknown";

/** Begins an exchange. A sent request id is kept if it is 1 to 128 visible ASCII characters. */
export function beginExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const { "x-request-id": sentId, traceparent } = request.headers;
  return {
    request,
    response,
    url: request.url ?? "",
    requestId: typeof sentId === "string" && requestIdRule.test(sentId) ? sentId : randomUUID(),
    traceparent:
      typeof traceparent === "string" && traceparentRule.test(traceparent)
        ? traceparent
        : undefined,
    startedAt: performance.now(),
    operation: unknownOperation,
    cacheResult: undefined,
    failure: undefined,
    isEndless: false,
  };
}

/** Writes the one line of a request that has ended: errors for defects, warnings for upstreams. */
export function logExchange(logger: Logger, exchange: Exchange): void {
  const { request, response, url, requestId, startedAt, failure } = exchange;
  if (failure === undefined && !logger.isLevelEnabled("info")) return;
  const mark = url.indexOf("?");
  const line = {
    requestId,
    method: request.method,
    path: mark === -1 ? url : url.slice(0, mark),
    status: response.statusCode,
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
