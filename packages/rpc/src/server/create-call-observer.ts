import { Code } from "@connectrpc/connect";
import type { ConnectError, HandlerContext } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { durationBucketsSeconds, Histogram } from "@storefront/telemetry";
import type { Logger, Metrics } from "@storefront/telemetry";
import { ServiceError } from "../errors/service-error.ts";
import { toConnectError } from "../errors/to-connect-error.ts";
import { requestIdOf } from "../request-id.ts";

/** Counts, times and logs the calls of one server. */
export interface CallObserver {
  /** Maps a handler's failure for the caller and logs it if it is the service's own fault. */
  fail(error: unknown, context: HandlerContext): ConnectError;
  /** Records that a call has ended; `startedAt` is from `performance.now()`. */
  end(context: HandlerContext, startedAt: number, error?: ConnectError): void;
}

export function createCallObserver(logger: Logger, metrics: Metrics): CallObserver {
  const durations = new Histogram({
    name: "rpc_server_call_duration_seconds",
    help: "Time from a call's first byte to its last, by procedure, protocol and code.",
    labelNames: ["procedure", "protocol", "code"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  return {
    fail(error, context) {
      const answer = toConnectError(error);
      logFailure(logger, error, answer, context);
      return answer;
    },
    end(context, startedAt, error) {
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
): void {
  const expected = error instanceof ServiceError && error.cause === undefined;
  const level = isServerFault(answer.code) && !expected ? "error" : "debug";
  if (!logger.isLevelEnabled(level)) return;
  const fields = {
    err: error,
    code: codeToString(answer.code),
    procedure: `${context.service.typeName}/${context.method.name}`,
    requestId: requestIdOf(context),
    traceparent: context.requestHeader.get("traceparent") ?? undefined,
  };
  logger[level](fields, "call failed");
}

function isServerFault(code: Code): boolean {
  return (
    code === Code.Internal ||
    code === Code.Unknown ||
    code === Code.DataLoss ||
    code === Code.Unavailable
  );
}
