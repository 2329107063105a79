import {
  byService,
  clientTlsRules,
  clientTlsShape,
  closeTimeoutOf,
  otelRules,
  otelShape,
  parseEnvironment,
  processShape,
  tlsFilesOf,
  tracingSettingsOf,
  variablesIn,
  zGatewayPort,
  zInteger,
  zMilliseconds,
  zPort,
  zServiceUrl,
} from "@storefront/process";
import type {
  Environment,
  EnvironmentRule,
  ProcessOptions,
  TracingOptions,
} from "@storefront/process";
import { z } from "zod";
import type { GatewayOptions } from "./gateway-options.ts";
import { defaultTimeouts } from "./http/http-server.ts";
import { cdnTagHeaders } from "./tags/edge-tags.ts";
import {
  listOf,
  protectionOf,
  protectionRules,
  protectionShape,
} from "./protection/environment.ts";

// As browsers send it: scheme, host and a port that is not the scheme's own.
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

const zGatewayEnvironment = z.object({
  ...processShape,
  port: zGatewayPort,
  METRICS_PORT: zPort.default(4900),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a redis:// or rediss:// address" })
    .optional(),
  RESPONSE_CACHE_MIB: zInteger(0, 999_999).default(128),
  CDN_TAG_HEADER: z.enum(cdnTagHeaders, `must be one of ${cdnTagHeaders.join(", ")}`).optional(),
  UPSTREAM_CONNECTIONS_MAX: zInteger(1, 10_000).default(64),
  UPSTREAM_QUEUE_MAX: zInteger(0, 100_000).default(512),
  BREAKER_FAILURES_MAX: zInteger(1, 10_000).default(10),
  BREAKER_PAUSE_MS: zMilliseconds.default(1000),
  WORK_IN_FLIGHT_MAX: zInteger(1, 1_000_000).default(1000),
  CONNECTIONS_MAX: zInteger(1, 1_000_000).default(10_000),
  REQUEST_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.requestMs),
  HEADERS_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.headersMs),
  ARRIVAL_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.arrivalMs),
  ANSWER_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.responseMs),
  STALL_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.stallMs),
  KEEP_ALIVE_TIMEOUT_SECONDS: zInteger(1, 86_400).default(defaultTimeouts.keepAliveMs / 1000),
  BODY_LIMIT_BYTES: zInteger(1024, 64 * 2 ** 20).default(256 * 1024),
  STREAMS_MAX: zInteger(0, 100_000).default(1000),
  STREAMS_PER_ADDRESS_MAX: zInteger(0, 100_000).default(20),
  CORS_ORIGINS: z
    .string()
    .default("")
    .transform(listOf)
    .refine(
      (origins) => origins.every(isOrigin),
      "must list origins such as https://shop.example, separated by commas",
    ),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, "must be an origin such as https://shop.example, without a path")
    .optional(),
  SNAPSHOT_DIR: z.string().optional(),
  PAGES_DIR: z.string().optional(),
  ...protectionShape,
});

const schemas = [
  zGatewayEnvironment,
  z.object(byService(zServiceUrl)),
  z.object(clientTlsShape),
  z.object(otelShape),
] as const;

/** Schemas of the gateway's environment variables, by their names. */
export const gatewayVariables = variablesIn(schemas);

/** The rule that a time must not be shorter than another one, which is a part of it. */
function outlasts(variable: keyof Times, shorter: keyof Times): EnvironmentRule {
  const timeOf = (name: keyof Times, given: Environment) =>
    Number(given[name] ?? zGatewayEnvironment.shape[name].parse(undefined));
  return (given) =>
    timeOf(variable, given) < timeOf(shorter, given)
      ? { variable, rule: `must not be shorter than ${shorter}` }
      : undefined;
}

type Times = Pick<
  typeof zGatewayEnvironment.shape,
  | "REQUEST_TIMEOUT_MS"
  | "HEADERS_TIMEOUT_MS"
  | "ARRIVAL_TIMEOUT_MS"
  | "ANSWER_TIMEOUT_MS"
  | "STALL_TIMEOUT_MS"
>;

const timeRules = [
  // Otherwise the connection would be cut before the request's own limit.
  outlasts("STALL_TIMEOUT_MS", "REQUEST_TIMEOUT_MS"),
  outlasts("ANSWER_TIMEOUT_MS", "REQUEST_TIMEOUT_MS"),
  outlasts("ARRIVAL_TIMEOUT_MS", "HEADERS_TIMEOUT_MS"),
];

/** Only stored responses have tags. */
const tagRule: EnvironmentRule = (given) =>
  given["CDN_TAG_HEADER"] !== undefined && Number(given["RESPONSE_CACHE_MIB"] ?? 1) === 0
    ? { variable: "CDN_TAG_HEADER", rule: "has no effect with RESPONSE_CACHE_MIB=0" }
    : undefined;

export interface GatewaySettings {
  port: number;
  /** Of `/metrics`; undefined when it is not served. */
  metricsPort: number | undefined;
  host: string | undefined;
  /** Longest that closing may take. */
  closeTimeoutMs: number;
  logLevel: ProcessOptions["logLevel"];
  /** Undefined traces nothing. */
  tracing: TracingOptions | undefined;
  /** For services that speak TLS; undefined where no variable is about it. */
  tlsFiles: ReturnType<typeof tlsFilesOf>;
  gateway: Omit<GatewayOptions, "logger" | "metrics" | "tracer" | "tls"> &
    Pick<ProcessOptions, "shutdownDelayMs" | "shutdownTimeoutMs">;
}

/** @throws ConfigError naming all that is wrong. */
export function gatewaySettingsOf(env: Environment): GatewaySettings {
  const rules = [...timeRules, tagRule, ...otelRules, ...clientTlsRules, ...protectionRules];
  const [config, serviceUrls, tls, otel] = parseEnvironment(schemas, env, rules);
  const { port, host, logLevel, shutdownDelayMs, shutdownTimeoutMs } = config;
  return {
    port,
    metricsPort: config.METRICS_PORT,
    host,
    closeTimeoutMs: closeTimeoutOf(config),
    logLevel,
    tracing: tracingSettingsOf(otel, "gateway"),
    tlsFiles: tlsFilesOf(tls),
    gateway: {
      shutdownDelayMs,
      shutdownTimeoutMs,
      serviceUrls,
      upstreamConnectionsMax: config.UPSTREAM_CONNECTIONS_MAX,
      upstreamQueueMax: config.UPSTREAM_QUEUE_MAX,
      breaker: { failuresMax: config.BREAKER_FAILURES_MAX, pauseMs: config.BREAKER_PAUSE_MS },
      redisUrl: config.REDIS_URL,
      responseCacheBytes: config.RESPONSE_CACHE_MIB * 2 ** 20,
      cdnTagHeader: config.CDN_TAG_HEADER,
      corsOrigins: config.CORS_ORIGINS,
      protection: protectionOf(config),
      workInFlightMax: config.WORK_IN_FLIGHT_MAX,
      connectionsMax: config.CONNECTIONS_MAX,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
      headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
      arrivalTimeoutMs: config.ARRIVAL_TIMEOUT_MS,
      responseTimeoutMs: config.ANSWER_TIMEOUT_MS,
      stallTimeoutMs: config.STALL_TIMEOUT_MS,
      keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_SECONDS * 1000,
      bodyLimitBytes: config.BODY_LIMIT_BYTES,
      streamsMax: config.STREAMS_MAX,
      streamsPerAddressMax: config.STREAMS_PER_ADDRESS_MAX,
      publicUrl: config.PUBLIC_URL,
      snapshotDirectory: config.SNAPSHOT_DIR,
      pagesDirectory: config.PAGES_DIR,
    },
  };
}
