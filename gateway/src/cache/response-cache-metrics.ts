import { reportCounter, reportGauge } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { ResponseCache } from "./response-cache.ts";
import type { ResponseStore } from "./response-store.ts";

/** Reports what the response cache keeps and renews. */
export function reportResponseCache(
  metrics: Metrics,
  { responses, store }: { responses: ResponseCache; store: ResponseStore },
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    reportGauge(metrics, { name, help }, () => [[{}, read()]]);
  gauge("response_cache_entries", "Answers that are kept.", () => store.count);
  gauge("response_cache_bytes", "Bytes that kept answers take.", () => store.sizeBytes);
  gauge("response_cache_max_bytes", "Bytes that they may take.", () => store.maxSizeBytes);
  gauge(
    "response_cache_targets",
    "Request targets whose answer is found without looking at them.",
    () => responses.targetCount,
  );
  reportCounter(
    metrics,
    {
      name: "response_cache_evictions_total",
      help: "Kept answers that were given up for room.",
    },
    () => [[{}, store.evictedCount]],
  );
  reportCounter(
    metrics,
    {
      name: "response_cache_refreshes_total",
      help: "Stale answers that were to be made anew behind the request, by outcome.",
      labelNames: ["outcome"],
    },
    () => Object.entries(responses.revalidations).map(([outcome, count]) => [{ outcome }, count]),
  );
}
