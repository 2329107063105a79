export { createLogger } from "./create-logger.ts";
export type { Logger, LoggerOptions, LogLevel } from "./create-logger.ts";
export {
  Counter,
  createMetrics,
  durationBucketsSeconds,
  Gauge,
  Histogram,
} from "./create-metrics.ts";
export type { Metrics, MetricsOptions } from "./create-metrics.ts";
