import { Code } from "@connectrpc/connect";
import type { DescMethod } from "@bufbuild/protobuf";
import type { ConnectError, HandlerContext } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { durationBucketsSeconds, Histogram, readTraceParent } from "@storefront/telemetry";
import type { Logger, Metrics, Span, Tracer } from "@storefront/telemetry";
import { ServiceError } from "../errors/service-error.ts";
import { toConnectError } from "../errors/to-connect-error.ts";
import { requestIdOf } from "../request-id.ts";
import { beginCallSpan, endCallSpan } from "./call-span.ts";
import type { CallHeaders } from "./call-span.ts";

/** Counts, times, traces and logs the calls of one server. */
export interface CallObserver {
  /** The span of a call that begins; undefined when its trace is not sampled. */
  begin(method: DescMethod, protocol: string, headers: CallHeaders): Span | undefined;
  /** Maps a handler's failure for the caller and logs it if it is the service's own fault. */
  fail(error: unknown, context: HandlerContext, span: Span | undefined): ConnectError;
  /** Records that a call has ended; `startedAt` is from `performance.now()`. */
  end(
    context: HandlerContext,
    startedAt: number,
    span: Span | undefined,
    error?: ConnectError,
  ): void;
}

/** @param tracer default: calls are not traced. */
export function createCallObserver(
  logger: Logger,
  metrics: Metrics,
  tracer?: Tracer,
): CallObserver {
  const durations = new Histogram({
    name: "rpc_server_call_duration_seconds",
    help: "Time from a call's first byte to its last, by procedure, protocol and code.",
    labelNames: ["procedure", "protocol", "code"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  return {
    begin: (method, protocol, headers) =>
      tracer === undefined ? undefined : beginCallSpan(tracer, method, protocol, headers),
    fail(error, context, span) {
      const answer = toConnectError(error);
      logFailure(logger, error, answer, context, span);
      return answer;
    },
    end(context, startedAt, span, error) {
      if (span !== undefined) endCallSpan(span, context, error);
      durations.observe(
        {
          procedure: `${context.service.typeName}/${context.method.name}`,
          protocol: context.protocolName,
          code: error === undefined ? "ok" : codeToString(error.code),
        },
        (performance.now() - startedAt) / 1000,
      );
    },
  };
}

function logFailure(
  logger: Logger,
  error: unknown,
  answer: ConnectError,
  context: HandlerContext,
  span: Span | undefined,
): void {
  const refusal = error instanceof ServiceError ? error : undefined;
  const expected = refusal !== undefined && refusal.cause === undefined;
  const isFault = isServerFault(answer.code) || refusal?.reason === ErrorReason.STORAGE_FULL;
  const level = isFault && !expected ? "error" : "debug";
  if (!logger.isLevelEnabled(level)) return;
  const fields = {
    err: error,
    code: codeToString(answer.code),
    procedure: `${context.service.typeName}/${context.method.name}`,
    requestId: requestIdOf(context),
    ...traceIdsOf(context, span),
  };
  logger[level](fields, "call failed");
}

/** Of the call's own span, or of its caller's when it has none. */
function traceIdsOf({ requestHeader }: HandlerContext, span: Span | undefined) {
  const { traceId, spanId } =
    span ?? readTraceParent(requestHeader.get("traceparent") ?? undefined) ?? {};
  return traceId === undefined ? {} : { traceId, spanId };
}

function isServerFault(code: Code): boolean {
  return (
    code === Code.Internal ||
    code === Code.Unknown ||
    code === Code.DataLoss ||
    code === Code.Unavailable
  );
}
