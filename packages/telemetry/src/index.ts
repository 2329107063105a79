export { createLogger } from "./create-logger.ts";
export type { Logger, LoggerOptions, LogLevel } from "./create-logger.ts";
export {
  Counter,
  createMetrics,
  durationBucketsSeconds,
  Gauge,
  Histogram,
  reportCounter,
  reportFeeds,
  reportGauge,
} from "./metrics.ts";
export type { FeedState, Metrics, MetricsOptions, ReportedMetric, Sample } from "./metrics.ts";
export { activeSpan, errorTypeOf, inJoinedSpan, inSpan, runForSpan } from "./tracing/in-span.ts";
export type { JoinedCaller } from "./tracing/in-span.ts";
export { readTraceParent } from "./tracing/trace-parent.ts";
export type { TraceParent } from "./tracing/trace-parent.ts";
export { startTracing } from "./tracing/tracer.ts";
export type {
  EntryStart,
  SamplerName,
  Span,
  SpanAttributes,
  SpanKind,
  SpanStart,
  Tracer,
  TracingOptions,
} from "./tracing/tracer.ts";
export { sampled } from "./sampled.ts";
