import { durationBucketsSeconds, Histogram, reportCounter } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import { cacheResults, knownMethods } from "../http/exchange.ts";
import type { CacheResult, Exchange } from "../http/exchange.ts";

/** Status of a request whose client left before a response, as proxies write it. */
const clientLeft = "499";

/** Metrics of requests that have ended. */
export function createRequestMetrics(metrics: Metrics) {
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
    /** Of a call within a joined request. */
    countCacheResult,
    observeRequest: (exchange: Exchange): void => {
      const { operation, request, response, startedAt, extraTimeMs, cacheResult } = exchange;
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
    /** Of a procedure; one request of a tRPC client may call several. */
    observeProcedure: (operation: string, code: string, startedAt: number): void =>
      procedures.observe({ operation, code }, (performance.now() - startedAt) / 1000),
  };
}
