export {
  ConfigError,
  hasNoEffectWithout,
  isRequiredWith,
  isSecret,
  parseEnvironment,
  withSecretsRead,
} from "./environment.ts";
export type { Environment, EnvironmentProblem, EnvironmentRule } from "./environment.ts";
export { otelRules, otelShape, tracingSettingsOf } from "./otel-shape.ts";
export type { TracingSettings } from "./otel-shape.ts";
export { defaultShutdownTimeoutMs, processOptionsOf, processShape } from "./process-shape.ts";
export type { ProcessOptions } from "./process-shape.ts";
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
