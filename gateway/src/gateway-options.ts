import { asCountry } from "@storefront/domain/identifiers";
import { option, processShape, zInteger, zServiceUrl, zTokens } from "@storefront/process";
import type { Logger, Metrics, ServiceName, Tracer } from "@storefront/process";
import type { TlsCredentials } from "@storefront/rpc";
import { z } from "zod";
import { zHttp } from "./http/http-options.ts";
import type { ListenAddress } from "./http/http-server.ts";
import { listOf } from "./protection/environment.ts";
import type { ProtectionOptions } from "./protection/environment.ts";
import { cdnTagHeaders } from "./tags/edge-tags.ts";
import { upstreamDefaults, zUpstream } from "./upstream/upstream-options.ts";

// As browsers send it: scheme, host and a port that is not the scheme's own.
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** The options of a gateway that its environment sets, without those of its protection. */
export const zGateway = z.object({
  shutdownDelayMs: processShape.shutdownDelayMs,
  ...zHttp.shape,
  ...zUpstream.shape,
  redisUrl: option(
    "REDIS_URL",
    z.url({ protocol: /^rediss?$/, error: "must be a redis:// or rediss:// address" }).optional(),
    "none: memory",
  ).describe("Cache and limits that several gateways share, `redis://…` or `rediss://…`."),
  responseCacheBytes: option(
    "RESPONSE_CACHE_MIB",
    zInteger(0, 999_999)
      .transform((mebibytes) => mebibytes * 2 ** 20)
      .prefault("128"),
  ).describe("Memory for stored responses, in MiB; 0 stores none."),
  cdnTagHeader: option(
    "CDN_TAG_HEADER",
    z.enum(cdnTagHeaders, `must be one of ${cdnTagHeaders.join(", ")}`).optional(),
  ).describe(
    "Header field with the tags of responses, for a [CDN that is purged](cdn.md): `surrogate-key`, `cache-tag` or `xkey`.",
  ),
  workInFlightMax: option("WORK_IN_FLIGHT_MAX", zInteger(1, 1_000_000).default(1000)).describe(
    "Most work in progress, in lookups of a single record: a list counts 3, featured discounts 10, a search or the sellers of free games 40. More is refused with 503 at once, unless a response is stored; probes and `/health` are always served. When work is refused and takes longer than usual, the gateway lowers the limit until work is fast again.",
  ),
  streamsPerAddressMax: option(
    "STREAMS_PER_ADDRESS_MAX",
    zInteger(0, 100_000).default(20),
  ).describe(
    "Streams of one IPv4 address or IPv6 /64, read as `TRUSTED_PROXIES` says; more are refused with 503.",
  ),
  corsOrigins: option(
    "CORS_ORIGINS",
    z
      .string()
      .default("")
      .transform(listOf)
      .refine(
        (origins) => origins.every(isOrigin),
        "must list origins such as https://shop.example, separated by commas",
      ),
    "any, without credentials",
  ).describe("Allowed origins, separated by commas."),
  defaultCountry: option(
    "DEFAULT_COUNTRY",
    z
      .string()
      .regex(/^[A-Z]{2}$/, "must be two capital letters")
      .default("US")
      .transform(asCountry),
  ).describe(
    "Country of requests that name none, and of searches for a country that is in no region. If it is in no region itself, its prices are those of the first region by id.",
  ),
  adminTokens: option("ADMIN_TOKEN", zTokens.optional(), "required by webhooks").describe(
    "What requests that manage webhooks require, at least 16 characters; several, separated by commas, while one replaces another: any is taken, and the gateway sends the first to webhooks. Where it is not set, the gateway has no `/webhooks`, and `start` sends none.",
  ),
  webhooksUrl: zServiceUrl("webhooks"),
  publicUrl: option(
    "PUBLIC_URL",
    z
      .string()
      .refine(isOrigin, "must be an origin such as https://shop.example, without a path")
      .optional(),
  ).describe(
    "Origin that clients reach the gateway by, such as `https://shop.example`, for addresses in calendars and feeds, which have none without it, and as the server of the OpenAPI document.",
  ),
  snapshotDirectory: option("SNAPSHOT_DIR", z.string().optional(), "the system's").describe(
    "Directory in which [snapshots](api/sync.md#getsnapshot) are written, as files that are unlinked at once. It has to exist and to hold two of them, each some hundred bytes a price, and older ones while they are downloaded.",
  ),
  pagesDirectory: option("PAGES_DIR", z.string().optional()).describe(
    "Directory of the built explorer; `start` builds and sets it itself.",
  ),
});

export const gatewayDefaults = { ...zGateway.parse({}), breaker: upstreamDefaults.breaker };

/** What a gateway is made of; those that are absent have their defaults. */
export interface GatewayOptions extends Partial<typeof gatewayDefaults> {
  /** Base URLs of the services' Connect ports. */
  serviceUrls: Record<ServiceName, string>;
  logger: Logger;
  /** Default: a registry of its own, without metrics of the process. */
  metrics?: Metrics | undefined;
  /** Traces the requests, and is closed with the gateway; default: nothing is traced. */
  tracer?: Tracer | undefined;
  protection?: ProtectionOptions;
  /** For services whose address is `https://`. The caller closes it, after the gateway. */
  tls?: TlsCredentials | undefined;
  /**
   * How long a log is watched after its last client has left, in milliseconds, so that one that reconnects continues
   * from memory; default 30 s.
   */
  streamLingerMs?: number | undefined;
  /** Memory for events of each log, for clients that reconnect or are slow; default 16 MiB. */
  streamMemoryBytes?: number | undefined;
}

export interface GatewayAddress extends ListenAddress {
  /** Of `/metrics`; default: it is not served. */
  metricsPort?: number | undefined;
}

/** A gateway that can be started once. */
export interface Gateway {
  /**
   * Starts to serve. Port 0 lets the system choose; without a host every address is listened on.
   *
   * @throws ListenError
   */
  listen(address: GatewayAddress): Promise<{ port: number; metricsPort: number | undefined }>;
  /**
   * Reports not ready, serves for `shutdownDelayMs`, finishes the requests in progress, then closes everything. A
   * second call does nothing.
   */
  close(): Promise<void>;
}
