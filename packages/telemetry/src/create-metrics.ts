import { collectDefaultMetrics, Registry } from "prom-client";

export { Counter, Gauge, Histogram } from "prom-client";

/** The metrics of one process: the registry that `/metrics` prints. */
export type Metrics = Registry;

/** What a registry of metrics is made of. */
export interface MetricsOptions {
  /** Label `service` on every sample. */
  service: string;
  /** Whether to collect memory, CPU, event-loop and garbage-collection metrics of the process; default false. */
  processMetrics?: boolean;
}

/** A registry of its own, so that several services in one process do not mix their samples. */
export function createMetrics({ service, processMetrics = false }: MetricsOptions): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}

/** Seconds; from the cost of a pass-through read to the longest deadline. */
export const durationBucketsSeconds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
