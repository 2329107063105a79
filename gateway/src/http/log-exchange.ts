import type { Logger } from "@storefront/telemetry";
import type { ReadClientAddress } from "./client-address.ts";
import { countSentBytes } from "./connections.ts";
import type { Exchange } from "./exchange.ts";
import { pathOf } from "./target.ts";

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
