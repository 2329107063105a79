import type { Span, TraceParent, Tracer } from "@storefront/telemetry";
import type { IncomingMessage } from "node:http";
import type { Exchange } from "./exchange.ts";
import { knownMethods } from "./known-methods.ts";
import { pathOf } from "./target.ts";

// Asked every few seconds by whoever looks after the process, and never of interest.
const untracedTargets = new Set(["/livez", "/readyz"]);

/**
 * Begins the span of a request, in the client's trace if it names one. Whether it is sampled is for
 * the gateway alone to say: if the client's flag or trace id counted, anybody could have every one of
 * their requests traced.
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
  return tracer.enter(method, {
    parent,
    traceId,
    attributes: {
      "http.request.method": method,
      "url.scheme": "http",
      "url.path": pathOf(url),
    },
  });
}

/** W3C trace context that is passed on. */
export interface PassedTrace {
  traceparent: string | undefined;
  tracestate: string | undefined;
}

/**
 * The trace that calls for a request carry unless they are made within a span: the client's own when
 * nothing is traced here, and otherwise one that says that it is not sampled.
 */
export function passedTrace(
  { span, parent, request }: Exchange,
  tracer: Tracer | undefined,
): PassedTrace {
  const tracestate = parent?.tracestate;
  if (span !== undefined) return { traceparent: span.traceparent, tracestate };
  if (tracer !== undefined) return { traceparent: tracer.unsampled(parent), tracestate };
  const { traceparent } = request.headers;
  const isPassed = parent !== undefined && typeof traceparent === "string";
  return { traceparent: isPassed ? traceparent : undefined, tracestate };
}

/** Ends the span of a request whose answer is sent, or whose client has left. */
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

function methodOf({ method = "" }: IncomingMessage): string {
  return knownMethods.has(method) ? method : "_OTHER";
}
