export { createCertificateAuthority, missingOpenssl } from "./certificates.ts";
export type { CertificateAuthority, CertificateFiles } from "./certificates.ts";
export { describeMain } from "./describe-main.ts";
export {
  describeOnEachDatabase,
  describeOnEachMigratedDatabase,
  everyDriver,
  memoryDatabase,
  missingPostgres,
} from "./describe-on-each-database.ts";
export type { TestDatabase, TestDatabaseOptions } from "./describe-on-each-database.ts";
export { describeUnlessMissing } from "./describe-unless-missing.ts";
export { describeWithRedis, missingRedis } from "./describe-with-redis.ts";
export { describeWithTypesense, missingTypesense } from "./describe-with-typesense.ts";
export type { TestTypesense } from "./describe-with-typesense.ts";
export { drillsAreLong } from "./drills-are-long.ts";
export { launchBrowser, missingBrowser } from "./launch-browser.ts";
export type { ReceivedSpan } from "./otlp/read-spans.ts";
export { startTraceReceiver } from "./otlp/start-trace-receiver.ts";
export type { TraceReceiver } from "./otlp/start-trace-receiver.ts";
export { openFaultyLink } from "./open-faulty-link.ts";
export type { FaultyLink } from "./open-faulty-link.ts";
export { pnpmCommand } from "./pnpm-command.ts";
export { parseMetrics, readMetrics, sumOf } from "./read-metrics.ts";
export type { MetricFamily, MetricSample, MetricsPage } from "./read-metrics.ts";
export { today } from "./releases/release.ts";
export type { Release } from "./releases/release.ts";
export { missingReleaseBefore, prepareReleaseBefore } from "./releases/release-before.ts";
export { startProgram } from "./releases/start-program.ts";
export type { ProgramOptions, RunningProgram } from "./releases/start-program.ts";
export { recordsOf, ruledMessages } from "./ruled-messages.ts";
export { Seeded } from "./seeded.ts";
export { backUpSchema, restoreSchema } from "./schema-backup.ts";
export { findProgram } from "./servers/find-program.ts";
export { freePort } from "./servers/free-port.ts";
export type { TestServer } from "./servers/server-process.ts";
export { isPostgresInstalled, startPostgres } from "./servers/start-postgres.ts";
export {
  missingPrometheus,
  startAlertmanager,
  startPrometheus,
} from "./servers/start-prometheus.ts";
export { startRedis } from "./servers/start-redis.ts";
export { countValues, idSeparator, valueContains } from "./searched-values.ts";
export type { ValueCount } from "./searched-values.ts";
export { startTypesenseCluster } from "./servers/start-typesense-cluster.ts";
export type { TypesenseCluster } from "./servers/start-typesense-cluster.ts";
export { startTypesense } from "./servers/start-typesense.ts";
export type { TypesenseServer } from "./servers/start-typesense.ts";
export { missingTypesenseProgram, typesenseProgram } from "./servers/typesense-program.ts";
export { missingVarnish, startVarnish } from "./servers/start-varnish.ts";
export { sharedData, sharedFile } from "./shared-data.ts";
export type { SharedData } from "./shared-data.ts";
export { slowDownDrops } from "./slow-down-drops.ts";
export { startEmbeddingEndpoint } from "./start-embedding-endpoint.ts";
export type { EmbeddingEndpoint, EndpointMood } from "./start-embedding-endpoint.ts";
export { startHttpProxy } from "./start-http-proxy.ts";
export type { HttpProxy } from "./start-http-proxy.ts";
export { copyMigratedDatabase } from "./stack/copy-migrated-database.ts";
export { noOtherStack, runCli, startCli } from "./stack/run-cli.ts";
export { ingestHttpToken, startIngest } from "./stack/start-ingest.ts";
export type { TestIngest } from "./stack/start-ingest.ts";
export { freePorts, startStack } from "./stack/start-stack.ts";
export type { StackAddresses, StackOptions, TestStack } from "./stack/start-stack.ts";
export { longOffers } from "./long-offers.ts";
export { makeTemporaryDirectory } from "./stack/temporary-directory.ts";
export type { TemporaryDirectory } from "./stack/temporary-directory.ts";
export { TestCall } from "./test-call.ts";
export { startTcpProxy } from "./start-tcp-proxy.ts";
export type { TcpProxy } from "./start-tcp-proxy.ts";
