import {
  clientTlsRules,
  clientTlsShape,
  defaultUrlOf,
  otelRules,
  otelShape,
  parseEnvironment,
  processOptionsOf,
  processShape,
  tracingSettingsOf,
  tlsFilesOf,
  zMilliseconds,
  zPort,
  zUrl,
  zWholeNumber,
} from "@storefront/config";
import type {
  Environment,
  EnvironmentRule,
  ServiceName,
  TlsFileSettings,
} from "@storefront/config";
import type { LogLevel, TracingOptions } from "@storefront/telemetry";
import { z } from "zod";
import type { GatewayOptions } from "./gateway-options.ts";
import { defaultTimeouts } from "./http/http-server.ts";
import { cdnTagHeaders } from "./tags/edge-tags.ts";
import { protectionOf, protectionRules, protectionShape } from "./protection/environment.ts";

// As browsers send it: scheme, host and a port that is not the scheme's own.
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

const serviceUrl = (service: ServiceName) => zUrl.default(defaultUrlOf(service));

/** The gateway's environment variables. */
export const zGatewayEnvironment = z.object({
  ...processShape,
  ...otelShape,
  ...clientTlsShape,
  PORT: zPort.default(4000),
  /** Of `/metrics`, which is never on PORT. */
  METRICS_PORT: zPort.default(4900),
  CATALOG_URL: serviceUrl("catalog"),
  PRICING_URL: serviceUrl("pricing"),
  REVIEWS_URL: serviceUrl("reviews"),
  CHANGELOG_URL: serviceUrl("changelog"),
  SEARCH_URL: serviceUrl("search"),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a redis:// or rediss:// address" })
    .optional(),
  /** Memory for prepared answers, in MiB; 0 keeps none. */
  RESPONSE_CACHE_MIB: zWholeNumber({ min: 0, max: 999_999 }).default(128),
  /** Header field with the tags of responses, for a CDN that is purged by them. */
  CDN_TAG_HEADER: z.enum(cdnTagHeaders, `must be one of ${cdnTagHeaders.join(", ")}`).optional(),
  /** Connections to a service at a time; each carries one call. */
  UPSTREAM_CONNECTIONS_MAX: zWholeNumber({ min: 1, max: 10_000 }).default(64),
  /** Calls that may wait for a connection to a service; what is more is answered 503. */
  UPSTREAM_QUEUE_MAX: zWholeNumber({ min: 0, max: 100_000 }).default(512),
  /** Calls in a row that find a service down before calls to it fail at once. */
  BREAKER_FAILURES_MAX: zWholeNumber({ min: 1, max: 10_000 }).default(10),
  /** How long they do before one tries. */
  BREAKER_PAUSE_MS: zMilliseconds.default(1000),
  /** Most work under way, in lookups of a single record; what is more is answered 503. */
  WORK_IN_FLIGHT_MAX: zWholeNumber({ min: 1, max: 1_000_000 }).default(1000),
  /** Connections of clients at a time; more are closed. */
  CONNECTIONS_MAX: zWholeNumber({ min: 1, max: 1_000_000 }).default(10_000),
  /** How long a request may take, from when it has arrived. */
  REQUEST_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.requestMs),
  /** How long a request line and its headers may take to arrive. */
  HEADERS_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.headersMs),
  /** How long a whole request may take to arrive. */
  ARRIVAL_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.arrivalMs),
  /** How long a client may take for a whole response; files have more by their size, streams of events any time. */
  ANSWER_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.responseMs),
  /** How long a client may take nothing of its answer. */
  STALL_TIMEOUT_MS: zMilliseconds.default(defaultTimeouts.stallMs),
  /** How long a connection without a request is kept: longer than a balancer before the gateway keeps its own. */
  KEEP_ALIVE_TIMEOUT_SECONDS: zWholeNumber({ min: 1, max: 86_400 }).default(
    defaultTimeouts.keepAliveMs / 1000,
  ),
  /** Largest request body. */
  BODY_LIMIT_BYTES: zWholeNumber({ min: 1024, max: 64 * 2 ** 20 }).default(256 * 1024),
  /** Clients that may follow the changelog at a time. */
  STREAMS_MAX: zWholeNumber({ min: 0, max: 100_000 }).default(1000),
  /** Those of one IPv4 address or IPv6 /64. */
  STREAMS_PER_ADDRESS_MAX: zWholeNumber({ min: 0, max: 100_000 }).default(20),
  /** Origins separated by commas. */
  CORS_ORIGINS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ""),
    )
    .refine(
      (origins) => origins.every(isOrigin),
      "must list origins such as https://shop.example, separated by commas",
    ),
  /** Scheme, host and port that clients reach the gateway by. */
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, "must be an origin such as https://shop.example, without a path")
    .optional(),
  /** Directory in which snapshots are written; default: the system's for what is temporary. */
  SNAPSHOT_DIR: z.string().optional(),
  /** Directory of the built explorer; without it `/explorer/` is unknown. */
  PAGES_DIR: z.string().optional(),
  ...protectionShape,
});

/** The rule that one time must not be shorter than another one, which it is a part of. */
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
  // A connection that is cut before its request may end would make the request's own limit useless.
  outlasts("STALL_TIMEOUT_MS", "REQUEST_TIMEOUT_MS"),
  outlasts("ANSWER_TIMEOUT_MS", "REQUEST_TIMEOUT_MS"),
  outlasts("ARRIVAL_TIMEOUT_MS", "HEADERS_TIMEOUT_MS"),
];

/** Only what is kept has tags. */
const tagRule: EnvironmentRule = (given) =>
  given["CDN_TAG_HEADER"] !== undefined && Number(given["RESPONSE_CACHE_MIB"] ?? 1) === 0
    ? { variable: "CDN_TAG_HEADER", rule: "has no effect with RESPONSE_CACHE_MIB=0" }
    : undefined;

/** What a process that runs a gateway takes from its environment. */
export interface GatewaySettings {
  port: number;
  /** Of `/metrics`; undefined when it is not served. */
  metricsPort: number | undefined;
  host: string | undefined;
  /** Longest that closing may take. */
  closeTimeoutMs: number;
  logLevel: LogLevel;
  /** Undefined traces nothing. */
  tracing: TracingOptions | undefined;
  /** For services that speak TLS; undefined where no variable is about it. */
  tlsFiles: TlsFileSettings | undefined;
  gateway: Omit<GatewayOptions, "logger" | "metrics" | "tracer" | "tls">;
}

/** @throws ConfigError naming all that is wrong. */
export function gatewaySettingsOf(env: Environment): GatewaySettings {
  const rules = [...timeRules, tagRule, ...otelRules, ...clientTlsRules, ...protectionRules];
  const [config] = parseEnvironment([zGatewayEnvironment], env, rules);
  const { host, closeTimeoutMs, ...shutdown } = processOptionsOf(config);
  return {
    port: config.PORT,
    metricsPort: config.METRICS_PORT,
    host,
    closeTimeoutMs,
    logLevel: config.LOG_LEVEL,
    tracing: tracingSettingsOf(config, "gateway"),
    tlsFiles: tlsFilesOf(config),
    gateway: {
      ...shutdown,
      serviceUrls: {
        catalog: config.CATALOG_URL,
        pricing: config.PRICING_URL,
        reviews: config.REVIEWS_URL,
        changelog: config.CHANGELOG_URL,
        search: config.SEARCH_URL,
      },
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
