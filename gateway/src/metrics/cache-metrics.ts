import { reportCounter } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import { cacheResults } from "../http/cache-result.ts";
import type { CacheResult } from "../http/cache-result.ts";

/** Counts an answer of the response cache. */
export type CountCacheResult = (result: CacheResult) => void;

/** Makes the metric of how the response cache answers. */
export function createCacheMetrics(metrics: Metrics): CountCacheResult {
  const counts = new Map<CacheResult, number>(cacheResults.map((result) => [result, 0]));
  reportCounter(
    metrics,
    {
      name: "response_cache_requests_total",
      help: "Requests, and calls of joined ones, that the response cache answered, by how.",
      labelNames: ["result"],
    },
    () => [...counts].map(([result, count]) => [{ result }, count]),
  );
  return (result) => counts.set(result, (counts.get(result) ?? 0) + 1);
}
