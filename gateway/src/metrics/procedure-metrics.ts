import { durationBucketsSeconds, Histogram } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { ObserveProcedure } from "../upstream/request-context.ts";

/** Makes the metrics of procedures; one request of a tRPC client may call several. */
export function createProcedureMetrics(metrics: Metrics): ObserveProcedure {
  const durations = new Histogram({
    name: "trpc_procedure_duration_seconds",
    help: "Time that procedures called by tRPC take, checking their input included.",
    labelNames: ["operation", "code"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  return (operation, code, startedAt) =>
    durations.observe({ operation, code }, (performance.now() - startedAt) / 1000);
}
