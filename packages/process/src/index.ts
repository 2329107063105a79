export {
  ConfigError,
  hasNoEffectWithout,
  isRequiredWith,
  isSecret,
  option,
  parseEnvironment,
  variablesIn,
  withSecretsRead,
} from "./config/environment.ts";
export type { Environment, EnvironmentRule } from "./config/environment.ts";
export { otelRules, otelShape, tracingSettingsOf } from "./config/otel-shape.ts";
export type { TracingOptions } from "./config/otel-shape.ts";
export { closeTimeoutOf, defaultShutdownTimeoutMs, processShape } from "./config/process-shape.ts";
export type { ProcessOptions } from "./config/process-shape.ts";
export {
  byService,
  defaultPorts,
  feedNames,
  followedFeeds,
  followerNames,
  portsShapeOf,
  serverNames,
  serviceNames,
  serviceVariables,
  zGatewayPort,
  zServiceUrl,
} from "./config/services.ts";
export type {
  FeedName,
  FollowerName,
  ServerName,
  ServiceName,
  ServicePorts,
} from "./config/services.ts";
export { startProcess } from "./config/start-process.ts";
export type { RunningProcess } from "./config/start-process.ts";
export {
  clientTlsRules,
  clientTlsShape,
  serverTlsRules,
  serverTlsShape,
  tlsFilesOf,
} from "./config/tls-shape.ts";
export type { ServerTlsOptions, TlsFiles } from "./config/tls-shape.ts";
export {
  zInteger,
  zLogLevel,
  zMilliseconds,
  zPort,
  zTokens,
  zUrl,
  zUrls,
} from "./config/values.ts";
export { createLogger } from "./telemetry/create-logger.ts";
export type { Logger } from "./telemetry/create-logger.ts";
export {
  Counter,
  createMetrics,
  durationBucketsSeconds,
  Gauge,
  Histogram,
  reportCounter,
  reportFeeds,
  reportGauge,
} from "./telemetry/metrics.ts";
export type { FeedState, Metrics } from "./telemetry/metrics.ts";
export {
  activeSpan,
  errorTypeOf,
  inJoinedSpan,
  inSpan,
  runForSpan,
} from "./telemetry/tracing/in-span.ts";
export { readTraceParent } from "./telemetry/tracing/trace-parent.ts";
export type { TraceParent } from "./telemetry/tracing/trace-parent.ts";
export { startTracing } from "./telemetry/tracing/start-tracing.ts";
export type { Span, SpanAttributes, Tracer } from "./telemetry/tracing/tracer.ts";
export { sampled } from "./telemetry/sampled.ts";
export { activeCall, outsideCalls, runForCall } from "./call/call.ts";
export { joinInTurn } from "./call/join-in-turn.ts";
export type { Call } from "./call/call.ts";
export { settledWithin } from "./call/settled-within.ts";
