import type { Logger, Span, TraceParent, Tracer } from "@storefront/process";
import type { IncomingMessage } from "node:http";
import { knownMethods } from "./exchange.ts";
import type { Exchange } from "./exchange.ts";
import { pathOf } from "./target.ts";

// Probes of supervisors, every few seconds.
const untracedTargets = new Set(["/livez", "/readyz"]);

/**
 * Begins the span of a request, in the client's trace if it names one. The gateway alone samples: if the
 * client's flag or trace id counted, any client could have all its requests traced.
 */
export function beginRequestSpan(
  tracer: Tracer,
  request: IncomingMessage,
  parent: TraceParent | undefined,
): Span | undefined {
  const { url = "" } = request;
  const traceId = untracedTargets.has(url) ? undefined : tracer.sample(undefined);
  if (traceId === undefined) return undefined;
  const method = methodOf(request);
  const attributes = {
    "http.request.method": method,
    "url.scheme": "http",
    "url.path": pathOf(url),
  };
  return tracer.enter(method, { parent, traceId, attributes });
}

/**
 * The W3C trace context of calls for a request that are made outside a span: the client's own when
 * nothing is traced here, otherwise one that is not sampled.
 */
export function passedTrace(
  { span, parent, request }: Exchange,
  tracer: Tracer | undefined,
): { traceparent: string | undefined; tracestate: string | undefined } {
  const tracestate = parent?.tracestate;
  if (span !== undefined) return { traceparent: span.traceparent, tracestate };
  if (tracer !== undefined) return { traceparent: tracer.unsampled(parent), tracestate };
  const { traceparent } = request.headers;
  const isPassed = parent !== undefined && typeof traceparent === "string";
  return { traceparent: isPassed ? traceparent : undefined, tracestate };
}

/** Ends the span of a request whose response is sent, or whose client has left. */
export function endRequestSpan(span: Span, exchange: Exchange): void {
  const { request, response, route, operation, requestId, cacheResult } = exchange;
  const { headersSent, statusCode, writableFinished } = response;
  if (route !== undefined) span.rename(`${methodOf(request)} ${route}`);
  span.set({
    "http.route": route,
    "http.response.status_code": headersSent ? statusCode : undefined,
    "storefront.operation": operation,
    "storefront.request_id": requestId,
    "storefront.cache": cacheResult,
    "storefront.aborted": writableFinished ? undefined : true,
  });
  if (headersSent && statusCode >= 500) span.fail(String(statusCode));
  span.end();
}

/** Logs a request that has ended, in one line: errors for defects, warnings for upstreams. */
export function logRequest(logger: Logger, exchange: Exchange, sentBytes: number): void {
  const { request, response, url, requestId, span, startedAt, failure } = exchange;
  if (failure === undefined && !logger.isLevelEnabled("info")) return;
  const { traceId, spanId } = span ?? exchange.parent ?? {};
  const line = {
    requestId,
    traceId,
    spanId,
    clientAddress: exchange.clientAddress,
    method: request.method,
    path: pathOf(url),
    operation: exchange.operation,
    status: response.statusCode,
    cache: exchange.cacheResult,
    sentBytes,
    durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
    ...(response.writableFinished ? {} : { aborted: true }),
  };
  const cause = failure instanceof Error ? failure.message : String(failure);
  if (failure === undefined) logger.info(line, "request");
  else if (response.statusCode === 500) logger.error({ ...line, err: failure }, "request");
  else logger.warn({ ...line, cause }, "request");
}

function methodOf({ method = "" }: IncomingMessage): string {
  return knownMethods.has(method) ? method : "_OTHER";
}
