import { createCacheStore } from "@storefront/cache";
import { createMetrics } from "@storefront/telemetry";
import { createClientMetrics } from "@storefront/rpc";
import type { TlsCredentials } from "@storefront/rpc";
import type { Logger, Metrics, Tracer } from "@storefront/telemetry";
import { randomUUID } from "node:crypto";
import { BlockList } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { ServiceName } from "@storefront/config";
import openApiDocument from "../openapi.json" with { type: "json" };
import { createChangelogHub } from "./changelog-hub/changelog-hub.ts";
import { createResponseCache } from "./cache/create-response-cache.ts";
import { createDocs } from "./docs/create-docs.ts";
import { createClientAddressReader } from "./http/client-address.ts";
import { createCorsPolicy } from "./http/cors.ts";
import type { Exchange } from "./http/exchange.ts";
import { createHttpServer } from "./http/http-server.ts";
import { defaultBodyLimitBytes } from "./http/json-body.ts";
import { passedTrace } from "./http/request-span.ts";
import { createRouteTable } from "./http/route-table.ts";
import { reportAdmission } from "./metrics/admission-metrics.ts";
import { openMetricsPort } from "./metrics/open-metrics-port.ts";
import type { MetricsPort } from "./metrics/open-metrics-port.ts";
import { createProcedureMetrics } from "./metrics/procedure-metrics.ts";
import {
  createRequestMetrics,
  reportRefusedConnections,
  reportRequestsInFlight,
} from "./metrics/request-metrics.ts";
import { reportStreams } from "./metrics/stream-metrics.ts";
import { reportUpstreams } from "./metrics/upstream-metrics.ts";
import type { ProcedureContext } from "./operations/operation.ts";
import { appRouter } from "./operations/router.ts";
import { streams } from "./operations/streams.ts";
import { answerPage } from "./pages/answer-page.ts";
import { loadPages } from "./pages/load-pages.ts";
import type { ProtectionOptions } from "./protection/environment.ts";
import { createRateLimiter } from "./protection/rate-limiter.ts";
import { securityHeaders } from "./protection/security-headers.ts";
import { keptHeadersByOperation } from "./rest/answer-headers.ts";
import { documentEndpoint } from "./rest/document-endpoint.ts";
import { createOpenStreams } from "./rest/open-streams.ts";
import { operationEndpoints } from "./rest/operation-endpoints.ts";
import { probeEndpoints } from "./rest/probe-endpoints.ts";
import { createRestHandler } from "./rest/rest-handler.ts";
import { streamEndpoints } from "./rest/stream-endpoints.ts";
import type { ReadLog } from "./tags/read-log.ts";
import { createExpressApp } from "./trpc/express-app.ts";
import { createFindAnswer } from "./trpc/find-answer.ts";
import { Admission } from "./upstream/admission.ts";
import type { BreakerOptions } from "./upstream/circuit-breaker.ts";
import { createClients } from "./upstream/clients.ts";
import type { RequestContext } from "./upstream/request-context.ts";

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
   * How long the changelog is watched after the last of them has left, so that who comes back goes on
   * from memory; default 30 s.
   */
  streamLingerMs?: number | undefined;
  /** Bytes of events that are remembered for those who come back or are slow; default 16 MiB. */
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
  /** How long a client may take for a whole answer, streams of events aside; default 2 minutes. */
  answerTimeoutMs?: number | undefined;
  /**
   * How long new connections and requests are still served after `close` while `/readyz` already says
   * 503, so that whoever spreads the requests can notice; default 0.
   */
  shutdownDelayMs?: number | undefined;
  /** How long requests under way may take once nothing new is accepted; default 10 s. */
  shutdownTimeoutMs?: number | undefined;
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

/**
 * Composes the gateway.
 *
 * @throws Error of the file system when there is no such directory of pages
 */
export function createGateway(options: GatewayOptions): Gateway {
  const {
    serviceUrls,
    logger,
    metrics = createMetrics({ service: "gateway" }),
    redisUrl,
    requestTimeoutMs = 5000,
    workInFlightMax = 1000,
    connectionsMax = 10_000,
    shutdownDelayMs = 0,
    shutdownTimeoutMs = 10_000,
    streamsMax = 1000,
    streamsPerAddressMax = 20,
    streamLingerMs = 30_000,
    streamMemoryBytes = 16 * 2 ** 20,
    bodyLimitBytes = defaultBodyLimitBytes,
    stallTimeoutMs = 60_000,
    pagesDirectory,
    corsOrigins = [],
    protection: { rateLimits, trustedProxies = new BlockList(), hstsMaxAgeSeconds = 0 } = {},
    tracer,
  } = options;
  const readAddress = createClientAddressReader(trustedProxies);
  const limiter =
    rateLimits && createRateLimiter(rateLimits, readAddress, redisUrl, logger, metrics);
  const fixedHeaders = securityHeaders({ hstsMaxAgeSeconds, isOpen: corsOrigins.length === 0 });
  const pages = pagesDirectory === undefined ? undefined : loadPages(pagesDirectory);
  const clients = createClients(serviceUrls, {
    upstreamConnectionsMax: options.upstreamConnectionsMax,
    upstreamQueueMax: options.upstreamQueueMax,
    breaker: options.breaker,
    tls: options.tls,
    metrics: createClientMetrics(metrics),
  });
  const openStreams = createOpenStreams({
    placesMax: streamsMax,
    placesPerAddressMax: streamsPerAddressMax,
  });
  reportUpstreams(metrics, clients.upstreams);
  const admission = new Admission(workInFlightMax);
  reportAdmission(metrics, admission);
  const observeProcedure = createProcedureMetrics(metrics);
  const cache = redisUrl === undefined ? undefined : createCacheStore({ redisUrl, logger });

  const contextFor = (
    request: Pick<
      RequestContext,
      "requestId" | "traceparent" | "tracestate" | "signal" | "cookie" | "reads"
    >,
  ): RequestContext => ({
    ...request,
    // From now on: its body may have taken long to arrive.
    deadlineAt: performance.now() + requestTimeoutMs,
    upstreamCalls: [],
    observeProcedure,
    admission,
    clients,
    cache,
    degraded: new Set(),
    countryFromCookie: false,
  });
  const createContext = (
    exchange: Exchange,
    signal = exchange.client.signal,
    reads?: ReadLog,
  ): RequestContext =>
    contextFor({
      requestId: exchange.requestId,
      signal,
      ...passedTrace(exchange, tracer),
      cookie: exchange.request.headers.cookie,
      reads,
    });
  const hub = createChangelogHub({
    createContext: (signal) =>
      contextFor({
        requestId: randomUUID(),
        signal,
        traceparent: undefined,
        tracestate: undefined,
        cookie: undefined,
        reads: undefined,
      }),
    openTimeoutMs: requestTimeoutMs,
    lingerMs: streamLingerMs,
    ringBytes: streamMemoryBytes,
  });
  reportStreams(metrics, openStreams, streamsMax, hub);
  const kept = createResponseCache({
    maxSizeBytes: options.responseCacheBytes,
    shared: cache,
    feedClients: clients.feeds,
    createContext,
    logger,
    metrics,
  });

  let metricsPort: MetricsPort | undefined;
  let closed: Promise<void> | undefined;
  const answerDocs = createDocs();
  const cors = createCorsPolicy(corsOrigins);
  const endpoints = operationEndpoints(appRouter, bodyLimitBytes);
  const findAnswerFor =
    kept &&
    createFindAnswer({
      responses: kept.responses,
      headersOf: keptHeadersByOperation(endpoints, cors.variesByOrigin),
    });
  const answerByExpress = createExpressApp({
    router: appRouter,
    createContext(exchange): ProcedureContext {
      const ctx = createContext(exchange);
      return { ...ctx, findAnswer: findAnswerFor?.(exchange, ctx) };
    },
    bodyLimitBytes,
  });
  const server = createHttpServer({
    logger,
    tracer,
    readAddress,
    observe: createRequestMetrics(metrics),
    shutdownTimeoutMs,
    stallTimeoutMs,
    connectionsMax,
    securityHeaders: fixedHeaders,
    headersTimeoutMs: options.headersTimeoutMs,
    arrivalTimeoutMs: options.arrivalTimeoutMs,
    answerTimeoutMs: options.answerTimeoutMs,
    handle: createRestHandler({
      matchRoute: createRouteTable([
        ...endpoints,
        ...streamEndpoints(streams, { openStreams, readAddress, hub }),
        documentEndpoint("/openapi.json", openApiDocument),
        ...probeEndpoints(() => closed !== undefined),
      ]),
      cors,
      securityHeaders: fixedHeaders,
      limiter,
      responses: kept?.responses,
      createContext,
      stallTimeoutMs,
      fallback(exchange, target, headers) {
        if (answerDocs(exchange, headers)) return;
        if (pages !== undefined && answerPage(pages, exchange, headers)) return;
        answerByExpress(exchange, target, headers);
      },
    }),
  });

  reportRequestsInFlight(metrics, () => server.inFlightCount);
  reportRefusedConnections(metrics, () => server.refusedConnectionCount);

  async function closeAll(): Promise<void> {
    server.drain();
    if (shutdownDelayMs > 0) await setTimeout(shutdownDelayMs);
    openStreams.close();
    hub.close();
    await server.close();
    // Their streams never end by themselves.
    await kept?.feeds.close();
    await Promise.all([clients.close(), cache?.close(), limiter?.close()]);
    await metricsPort?.close();
    await tracer?.close();
  }

  return {
    async listen({ port, host, metricsPort: wantedPort }) {
      if (wantedPort !== undefined) {
        metricsPort = await openMetricsPort({ metrics, port: wantedPort, host, logger });
      }
      kept?.feeds.start();
      const listening = await server.listen({ port, host });
      return { ...listening, metricsPort: metricsPort?.port };
    },
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}
