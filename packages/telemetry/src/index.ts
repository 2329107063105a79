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
export { activeSpan, errorTypeOf, inJoinedSpan, inSpan, runForSpan } from "./tracing/in-span.ts";
export type { JoinedCaller } from "./tracing/in-span.ts";
export type { Span, SpanAttributes, SpanKind, SpanStart } from "./tracing/span.ts";
export { startTracing } from "./tracing/start-tracing.ts";
export { readTraceParent } from "./tracing/trace-parent.ts";
export type { TraceParent } from "./tracing/trace-parent.ts";
export type { EntryStart, SamplerName, Tracer, TracingOptions } from "./tracing/tracer.ts";
export { reportFeeds } from "./report-feeds.ts";
export type { FeedState } from "./report-feeds.ts";
export { reportCounter, reportGauge } from "./report-samples.ts";
export type { ReportedMetric, Sample } from "./report-samples.ts";
export { sampled } from "./sampled.ts";
