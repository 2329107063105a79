import { durationBucketsSeconds, Histogram, reportCounter } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import { cacheResults, knownMethods } from "../http/exchange.ts";
import type { CacheResult, Exchange } from "../http/exchange.ts";
import type { ObserveProcedure } from "../upstream/request-context.ts";

/** Status of a request whose client left before a response, as proxies write it. */
const clientLeft = "499";

/** Metrics of requests that have ended. */
export interface RequestMetrics {
  observeRequest: (exchange: Exchange) => void;
  /** Of a call within a joined request. */
  countCacheResult: (result: CacheResult) => void;
  /** Of a procedure; one request of a tRPC client may call several. */
  observeProcedure: ObserveProcedure;
}

export function createRequestMetrics(metrics: Metrics): RequestMetrics {
  const requests = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Time from a request's head to the last byte of its response, but for streams of events and files.",
    labelNames: ["operation", "method", "code"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  const procedures = new Histogram({
    name: "trpc_procedure_duration_seconds",
    help: "Time that procedures called by tRPC take, with the check of their input.",
    labelNames: ["operation", "code"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  const cacheCounts = new Map<CacheResult, number>(cacheResults.map((result) => [result, 0]));
  reportCounter(
    metrics,
    {
      name: "response_cache_requests_total",
      help: "Requests, and calls of joined ones, by the part of the response cache in their response.",
      labelNames: ["result"],
    },
    () => [...cacheCounts].map(([result, count]) => [{ result }, count]),
  );
  const countCacheResult = (result: CacheResult) => {
    cacheCounts.set(result, (cacheCounts.get(result) ?? 0) + 1);
  };

  return {
    countCacheResult,
    observeRequest({ operation, request, response, startedAt, extraTimeMs, cacheResult }) {
      if (cacheResult !== undefined) countCacheResult(cacheResult);
      if (extraTimeMs > 0) return;
      const { method = "" } = request;
      requests.observe(
        {
          operation,
          method: knownMethods.has(method) ? method : "other",
          code: response.headersSent ? String(response.statusCode) : clientLeft,
        },
        (performance.now() - startedAt) / 1000,
      );
    },
    observeProcedure: (operation, code, startedAt) =>
      procedures.observe({ operation, code }, (performance.now() - startedAt) / 1000),
  };
}
