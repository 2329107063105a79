import {
  durationBucketsSeconds,
  Histogram,
  reportCounter,
  reportGauge,
} from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { Exchange } from "../http/exchange.ts";
import { knownMethods } from "../http/known-methods.ts";
import type { CountCacheResult } from "./cache-metrics.ts";

/** Counts and times the requests that have ended. */
export type ObserveRequest = (exchange: Exchange) => void;

/** Of a request whose client left before it had a status, as proxies write it. */
const clientLeft = "499";

/** Makes the metrics of requests. */
export function createRequestMetrics(
  metrics: Metrics,
  countCacheResult: CountCacheResult,
): ObserveRequest {
  const durations = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Time from a request's head to the last byte of its answer, streams of events and files aside.",
    labelNames: ["operation", "method", "code"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  return ({ operation, request, response, startedAt, extraTimeMs, cacheResult }) => {
    if (cacheResult !== undefined) countCacheResult(cacheResult);
    if (extraTimeMs > 0) return;
    const { method = "" } = request;
    durations.observe(
      {
        operation,
        method: knownMethods.has(method) ? method : "other",
        code: response.headersSent ? String(response.statusCode) : clientLeft,
      },
      (performance.now() - startedAt) / 1000,
    );
  };
}

/** Reports how many requests are under way. */
export function reportRequestsInFlight(metrics: Metrics, count: () => number): void {
  reportGauge(
    metrics,
    {
      name: "http_server_requests_in_flight",
      help: "Requests under way, streams of events among them.",
    },
    () => [[{}, count()]],
  );
}

/** Reports how many connections were refused. */
export function reportRefusedConnections(metrics: Metrics, count: () => number): void {
  reportCounter(
    metrics,
    {
      name: "http_server_refused_connections_total",
      help: "Connections that were closed because there were too many.",
    },
    () => [[{}, count()]],
  );
}
