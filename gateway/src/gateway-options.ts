import type { ServiceName } from "@storefront/config";
import type { TlsCredentials } from "@storefront/rpc";
import type { Logger, Metrics, Tracer } from "@storefront/telemetry";
import type { ProtectionOptions } from "./protection/environment.ts";
import type { CdnTagHeader } from "./tags/edge-tags.ts";
import type { BreakerOptions } from "./upstream/circuit-breaker.ts";

/** What a gateway is made of. */
export interface GatewayOptions {
  /** Base URLs of the services' Connect ports. */
  serviceUrls: Record<ServiceName, string>;
  logger: Logger;
  /** What its metrics are added to; default: a registry of its own, without those of the process. */
  metrics?: Metrics | undefined;
  /** Traces the requests, and is closed with the gateway; default: nothing is traced. */
  tracer?: Tracer | undefined;
  /** Where the cache is that gateways share; default: there is none. */
  redisUrl?: string | undefined;
  /** Bytes that kept answers may take in this process; 0 keeps none. Default 128 MiB. */
  responseCacheBytes?: number | undefined;
  /**
   * Header field with the tags of responses, for a CDN that `storefront purge` purges by them; default: there is none, and
   * no cache outside keeps a response for longer than browsers do.
   */
  cdnTagHeader?: CdnTagHeader | undefined;
  /** Origins whose scripts may call with credentials; default: any origin, without. */
  corsOrigins?: readonly string[] | undefined;
  /** How it is guarded; default: without limits. */
  protection?: ProtectionOptions | undefined;
  /** How long a request may take, in milliseconds; default 5 s. */
  requestTimeoutMs?: number | undefined;
  /** Connections to a service at a time, each of which carries one call; default 64. */
  upstreamConnectionsMax?: number | undefined;
  /** Calls that may wait for a connection to a service; what is more fails at once. Default 512. */
  upstreamQueueMax?: number | undefined;
  /** When a service counts as down, so that calls fail at once; default after 10 in a row, for a second. */
  breaker?: BreakerOptions | undefined;
  /** For services whose address is `https://`. The caller closes it, after the gateway. */
  tls?: TlsCredentials | undefined;
  /**
   * Most work under way at a time, in lookups of a single record: a list counts 3, a search 40. More is
   * answered 503, unless an answer is kept; fewer are let in while that is what keeps them quick. Default
   * 1,000.
   */
  workInFlightMax?: number | undefined;
  /** Connections of clients at a time; more are closed. Default 10,000. */
  connectionsMax?: number | undefined;
  /** Largest request body; default 256 KiB. */
  bodyLimitBytes?: number | undefined;
  /** Clients that may follow the changelog at a time; more are answered 503. Default 1,000. */
  streamsMax?: number | undefined;
  /** How many of them may come from one IPv4 address or IPv6 /64; default 20. */
  streamsPerAddressMax?: number | undefined;
  /**
   * How long a log is watched after the last of those who follow it has left, so that who comes back goes on
   * from memory; default 30 s.
   */
  streamLingerMs?: number | undefined;
  /** Bytes of events of each log that are remembered for those who come back or are slow; default 16 MiB. */
  streamMemoryBytes?: number | undefined;
  /**
   * How long a client may take nothing of its answer before it is cut off; default 60 s. Longer than
   * `requestTimeoutMs`.
   */
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
  /** How long a connection without a request is kept; default 620 s, longer than balancers keep theirs. */
  keepAliveTimeoutMs?: number | undefined;
  /**
   * How long new connections and requests are still served after `close` while `/readyz` already says
   * 503, so that whoever spreads the requests can notice; default 0.
   */
  shutdownDelayMs?: number | undefined;
  /** How long requests under way may take once nothing new is accepted; default 10 s. */
  shutdownTimeoutMs?: number | undefined;
  /**
   * Scheme, host and port that clients reach it by, for addresses in calendars and feeds, and in the OpenAPI
   * document; default: calendars and feeds have none, and the document's is its own.
   */
  publicUrl?: string | undefined;
  /** Directory in which snapshots of the catalogue are written; default: the system's for what is temporary. */
  snapshotDirectory?: string | undefined;
  /** Directory of built pages that `/explorer/` is answered from; without it there are none. */
  pagesDirectory?: string | undefined;
}

/** Where a gateway listens. */
export interface GatewayAddress {
  port: number;
  host?: string | undefined;
  /** Of `/metrics`, which is nowhere else; default: it is not served. */
  metricsPort?: number | undefined;
}

/** A gateway that can be started once. */
export interface Gateway {
  /**
   * Starts to answer. Port 0 lets the system choose; without a host every address is listened on.
   *
   * @throws ListenError when a port or the host cannot be had
   */
  listen(address: GatewayAddress): Promise<{ port: number; metricsPort: number | undefined }>;
  /**
   * Reports not ready, serves on for `shutdownDelayMs`, finishes the requests under way, then lets go
   * of everything. A second call does nothing.
   */
  close(): Promise<void>;
}
