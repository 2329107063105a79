export { encoded, encodedOf, EncodedWriter } from "./encoded/encoded-message.ts";
export {
  errorInfoOf,
  fieldViolationsOf,
  invalidFields,
  notFound,
  ServiceError,
  unavailable,
} from "./errors/connect-error.ts";
export type { ErrorInfo, FieldViolation } from "./errors/connect-error.ts";
export { responseLimitBytes, requestLimitBytes } from "./limits.ts";
export { violationsOf } from "./rules/compile-check.ts";
export { firstFault, identifier, isLongerThan, isTimestamp } from "./rules/value-rules.ts";
export { fieldRules, requireFieldRulesOnly } from "./rules/field-rules.ts";
export type { FieldRules } from "./rules/field-rules.ts";
export { pageOf } from "./rules/page-of.ts";
export type { Page } from "./rules/page-of.ts";
export type { Rule } from "./rules/value-rules.ts";
export { databaseProbe, provideHealth } from "./server/provide-health.ts";
export type { DependencyProbe, FeedLag } from "./server/provide-health.ts";
export {
  createHttpServer,
  discardRest,
  ListenError,
  listenError,
  listenOn,
} from "./server/create-http-server.ts";
export { createOperatorPages } from "./server/operator-pages.ts";
export { provide, providePart } from "./server/provide.ts";
export type { ProvidedService, ProvideOptions } from "./server/provide.ts";
export { Readiness } from "./server/readiness.ts";
export type { ReadinessChecks } from "./server/readiness.ts";
export { serve } from "./server/serve.ts";
export type { RunningServer, ServeOptions } from "./server/serve.ts";
export type { ServerTls } from "./server/server-tls.ts";
export { tokenCheck } from "./server/token-check.ts";
export { handshakeFailure } from "./tls/handshake-failure.ts";
export { openTlsCredentials, TlsError } from "./tls/open-tls-credentials.ts";
export type { TlsCredentials } from "./tls/open-tls-credentials.ts";
export { requireEncryption } from "./client/bearer-token.ts";
export { createTransport } from "./client/create-transport.ts";
export type { ClosableTransport } from "./client/closable-transport.ts";
export { Backoff } from "./client/backoff.ts";
export { followStream, readStream } from "./client/follow-stream.ts";
export { createClientMetrics } from "./client/measure-calls.ts";
export type { ClientMetrics } from "./client/measure-calls.ts";
export { createGrpcTransport } from "./client/create-grpc-transport.ts";
