import { Code } from "@connectrpc/connect";
import type { ConnectError, HandlerContext } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { durationBucketsSeconds, Histogram, readTraceParent } from "@storefront/process";
import type { Logger, Metrics, Span, Tracer } from "@storefront/process";
import { randomUUID } from "node:crypto";
import { ServiceError, toConnectError } from "../errors/connect-error.ts";
import { methodNameOf, rpcSystemOf, statusAttributes } from "../rpc-attributes.ts";
import type { IncomingCall } from "./call-context.ts";

/** An observed call. */
interface ObservedCall extends HandlerContext {
  readonly span: Span | undefined;
  /** Of `performance.now()`. */
  readonly startedAt: number;
}

/** Health checks and reflection: called every few seconds, or by tools. */
const untracedServices = /^grpc\.(?:health|reflection)\./;

/** Codes that are the server's failure: https://opentelemetry.io/docs/specs/semconv/rpc/grpc/ */
const failuresOfSpans = new Set([
  Code.Unknown,
  Code.DeadlineExceeded,
  Code.Unimplemented,
  Code.Internal,
  Code.Unavailable,
  Code.DataLoss,
]);

const loggedFailures = new Set([Code.Internal, Code.Unknown, Code.DataLoss, Code.Unavailable]);

/** Counts, measures, traces and logs the calls of one server. */
export class CallObserver {
  readonly #logger: Logger;
  readonly #tracer: Tracer | undefined;
  readonly #durations: Histogram<"procedure" | "protocol" | "code">;

  /** @param tracer default: calls are not traced. */
  constructor(logger: Logger, metrics: Metrics, tracer?: Tracer) {
    this.#logger = logger;
    this.#tracer = tracer;
    this.#durations = new Histogram({
      name: "rpc_server_call_duration_seconds",
      help: "Time from a call's first byte to its last, by procedure, protocol and code.",
      labelNames: ["procedure", "protocol", "code"],
      buckets: durationBucketsSeconds,
      registers: [metrics],
    });
  }

  /** Begins the span of a call, in its client's trace if there is one; undefined when that is not sampled. */
  begin({ method, protocolName, traceparent, tracestate }: IncomingCall): Span | undefined {
    if (this.#tracer === undefined || untracedServices.test(method.parent.typeName)) {
      return undefined;
    }
    const parent = readTraceParent(traceparent, tracestate);
    const traceId = this.#tracer.sample(parent);
    if (traceId === undefined) return undefined;
    const name = methodNameOf(method);
    return this.#tracer.enter(name, {
      parent,
      traceId,
      attributes: { "rpc.system.name": rpcSystemOf(protocolName), "rpc.method": name },
    });
  }

  /** Maps a handler's failure for the client, and logs it if it is the service's own fault. */
  fail(error: unknown, call: ObservedCall): ConnectError {
    const failure = toConnectError(error);
    const refusal = error instanceof ServiceError ? error : undefined;
    const isExpected = refusal !== undefined && refusal.cause === undefined;
    const isFault =
      loggedFailures.has(failure.code) || refusal?.reason === ErrorReason.STORAGE_FULL;
    const level = isFault && !isExpected ? "error" : "debug";
    if (this.#logger.isLevelEnabled(level)) {
      const { method, requestHeader, span } = call;
      const { traceId, spanId } =
        span ?? readTraceParent(requestHeader.get("traceparent") ?? undefined) ?? {};
      this.#logger[level](
        {
          err: error,
          code: codeToString(failure.code),
          procedure: methodNameOf(method),
          requestId: requestHeader.get("x-request-id") ?? randomUUID(),
          ...(traceId === undefined ? {} : { traceId, spanId }),
        },
        "call failed",
      );
    }
    return failure;
  }

  end({ method, protocolName, span, startedAt }: ObservedCall, failure?: ConnectError): void {
    if (span !== undefined) {
      const { code, attributes } = statusAttributes(protocolName, failure);
      span.set(attributes);
      if (failure !== undefined && failuresOfSpans.has(failure.code)) span.fail(code);
      span.end();
    }
    this.#durations.observe(
      {
        procedure: methodNameOf(method),
        protocol: protocolName,
        code: failure === undefined ? "ok" : codeToString(failure.code),
      },
      (performance.now() - startedAt) / 1000,
    );
  }
}
