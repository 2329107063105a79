import type { DescMethod } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { ConnectError, HandlerContext } from "@connectrpc/connect";
import { Metadata } from "@grpc/grpc-js";
import { readTraceParent } from "@storefront/telemetry";
import type { Span, Tracer, TraceParent } from "@storefront/telemetry";
import type { IncomingHttpHeaders } from "node:http";
import { methodNameOf, rpcSystemOf, statusAttributes } from "../rpc-attributes.ts";

/** The headers of a call, as its port has them. */
export type CallHeaders = IncomingHttpHeaders | Metadata | Headers;

/** Asked every few seconds, or by tools, and never of interest. */
const untracedServices = /^grpc\.(?:health|reflection)\./;

/**
 * Begins the span of an incoming call, in its caller's trace if it has one; undefined when that is
 * not sampled, and for health checks and reflection.
 */
export function beginCallSpan(
  tracer: Tracer,
  method: DescMethod,
  protocol: string,
  headers: CallHeaders,
): Span | undefined {
  if (untracedServices.test(method.parent.typeName)) return undefined;
  const parent = traceParentOf(headers);
  const traceId = tracer.sample(parent);
  if (traceId === undefined) return undefined;
  const name = methodNameOf(method);
  return tracer.enter(name, {
    parent,
    traceId,
    attributes: { "rpc.system.name": rpcSystemOf(protocol), "rpc.method": name },
  });
}

/** Ends the span of an incoming call. What its caller alone is to blame for is no failure of the span. */
export function endCallSpan(
  span: Span,
  { protocolName }: Pick<HandlerContext, "protocolName">,
  error: ConnectError | undefined,
): void {
  const { code, attributes } = statusAttributes(protocolName, error);
  span.set(attributes);
  if (error !== undefined && serverFaults.has(error.code)) span.fail(code);
  span.end();
}

/** Codes that are the server's failure: https://opentelemetry.io/docs/specs/semconv/rpc/grpc/ */
const serverFaults = new Set([
  Code.Unknown,
  Code.DeadlineExceeded,
  Code.Unimplemented,
  Code.Internal,
  Code.Unavailable,
  Code.DataLoss,
]);

function traceParentOf(headers: CallHeaders): TraceParent | undefined {
  if (headers instanceof Headers) {
    return readTraceParent(
      headers.get("traceparent") ?? undefined,
      headers.get("tracestate") ?? undefined,
    );
  }
  if (headers instanceof Metadata) {
    return readTraceParent(
      headers.get("traceparent").join(",") || undefined,
      headers.get("tracestate").map(String),
    );
  }
  const { traceparent, tracestate } = headers;
  return readTraceParent(String(traceparent ?? "") || undefined, tracestate);
}
