import type { Logger, Metrics, ServiceName, Tracer } from "@storefront/process";
import type { TlsCredentials } from "@storefront/rpc";
import type { ProtectionOptions } from "./protection/environment.ts";
import type { CdnTagHeader } from "./tags/edge-tags.ts";
import type { BreakerOptions } from "./upstream/circuit-breaker.ts";

export interface GatewayOptions {
  /** Base URLs of the services' Connect ports. */
  serviceUrls: Record<ServiceName, string>;
  logger: Logger;
  /** Default: a registry of its own, without metrics of the process. */
  metrics?: Metrics | undefined;
  /** Traces the requests, and is closed with the gateway; default: nothing is traced. */
  tracer?: Tracer | undefined;
  /** Of the cache and limits that gateways share; default none. */
  redisUrl?: string | undefined;
  /** Memory for stored responses; 0 stores none. Default 128 MiB. */
  responseCacheBytes?: number | undefined;
  /**
   * Header field with the tags of responses, for a CDN that `storefront purge` purges by them; default none, so that
   * shared caches store a response for no longer than browsers do.
   */
  cdnTagHeader?: CdnTagHeader | undefined;
  /** Origins whose scripts may call with credentials; default: any origin, without. */
  corsOrigins?: readonly string[] | undefined;
  /** Default: no limits. */
  protection?: ProtectionOptions | undefined;
  /** How long a request may take, in milliseconds; default 5 s. */
  requestTimeoutMs?: number | undefined;
  /** Connections to a service at a time, each of which carries one call; default 64. */
  upstreamConnectionsMax?: number | undefined;
  /** Calls that may wait for a connection to a service; more fail at once. Default 512. */
  upstreamQueueMax?: number | undefined;
  /** When a service counts as down, so that calls fail at once; default after 10 in a row, for a second. */
  breaker?: BreakerOptions | undefined;
  /** For services whose address is `https://`. The caller closes it, after the gateway. */
  tls?: TlsCredentials | undefined;
  /**
   * Most work in progress, in lookups of a single record: a list counts 3, a search 40. More is refused with 503,
   * unless a response is stored; less is admitted while services are slow. Default 1,000.
   */
  workInFlightMax?: number | undefined;
  /** Connections of clients at a time; more are closed. Default 10,000. */
  connectionsMax?: number | undefined;
  /** Largest request body; default 256 KiB. */
  bodyLimitBytes?: number | undefined;
  /** Event streams at a time; more are refused with 503. Default 1,000. */
  streamsMax?: number | undefined;
  /** How many of them may come from one IPv4 address or IPv6 /64; default 20. */
  streamsPerAddressMax?: number | undefined;
  /**
   * How long a log is watched after its last client has left, so that one that reconnects continues from memory;
   * default 30 s.
   */
  streamLingerMs?: number | undefined;
  /** Memory for events of each log, for clients that reconnect or are slow; default 16 MiB. */
  streamMemoryBytes?: number | undefined;
  /** How long a client may read nothing before it is cut off; default 60 s. Longer than `requestTimeoutMs`. */
  stallTimeoutMs?: number | undefined;
  /** How long a request line and its headers may take to arrive; default 10 s. */
  headersTimeoutMs?: number | undefined;
  /** How long a whole request may take to arrive; default 30 s. */
  arrivalTimeoutMs?: number | undefined;
  /**
   * How long a client may take for a whole response; files have more by their size, streams of events any time.
   * Default 2 minutes.
   */
  responseTimeoutMs?: number | undefined;
  /** Of a connection without a request; default 620 s, longer than balancers have. */
  keepAliveTimeoutMs?: number | undefined;
  /**
   * How long new connections and requests are still served after `close` while `/readyz` is 503, so that balancers
   * notice; default 0.
   */
  shutdownDelayMs?: number | undefined;
  /** How long requests in progress may take once nothing new is accepted; default 10 s. */
  shutdownTimeoutMs?: number | undefined;
  /**
   * Scheme, host and port that clients reach it by, for addresses in calendars and feeds, and in the OpenAPI
   * document; default: calendars and feeds have none, and the document's is its own.
   */
  publicUrl?: string | undefined;
  /** For snapshots of the catalogue; default: the system's temporary directory. */
  snapshotDirectory?: string | undefined;
  /** Of the built pages of `/explorer/`; default: there are none. */
  pagesDirectory?: string | undefined;
}

export interface GatewayAddress {
  port: number;
  host?: string | undefined;
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
