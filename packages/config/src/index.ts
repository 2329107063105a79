export { ConfigError, hasNoEffectWithout, isRequiredWith } from "./environment.ts";
export type { Environment, EnvironmentProblem, EnvironmentRule } from "./environment.ts";
export { otelRules, otelShape, tracingSettingsOf } from "./otel-shape.ts";
export type { TracingSettings } from "./otel-shape.ts";
export { parseEnvironment } from "./parse-environment.ts";
export { defaultShutdownTimeoutMs, processOptionsOf, processShape } from "./process-shape.ts";
export type { ProcessOptions } from "./process-shape.ts";
export { isSecret, withSecretsRead } from "./secret-files.ts";
export {
  byService,
  defaultPorts,
  defaultUrlOf,
  feedNames,
  followedFeeds,
  followerNames,
  serviceNames,
  serviceVariables,
} from "./services.ts";
export type { FeedName, FollowerName, ServiceName, ServicePorts } from "./services.ts";
export { startProcess } from "./start-process.ts";
export type { RunningProcess } from "./start-process.ts";
export {
  clientTlsRules,
  clientTlsShape,
  serverTlsRules,
  serverTlsShape,
  tlsFilesOf,
} from "./tls-shape.ts";
export type { TlsFileSettings } from "./tls-shape.ts";
export { zLogLevel, zMilliseconds, zPort, zTokens, zUrl, zUrls, zWholeNumber } from "./values.ts";
