import { createCacheStore } from "./redis/cache-store.ts";
import { createMetrics } from "@storefront/process";
import { createClientMetrics } from "@storefront/rpc";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import openApiDocument from "../openapi.json" with { type: "json" };
import { RecentAggregations } from "./operations/search/recent-aggregations.ts";
import { createResponseCache } from "./cache/create-response-cache.ts";
import { followRegions } from "./cache/followed-regions.ts";
import { currentRegions } from "./regions/current-regions.ts";
import { createAdminAccess } from "./protection/admin-access.ts";
import { createDocs } from "./docs/create-docs.ts";
import { gatewayDefaults } from "./gateway-options.ts";
import type { Gateway, GatewayOptions } from "./gateway-options.ts";
import { createClientAddressReader } from "./http/client-address.ts";
import { createCorsPolicy } from "./http/cors.ts";
import type { Exchange } from "./http/exchange.ts";
import { createHttpServer } from "./http/http-server.ts";
import { passedTrace } from "./http/request-telemetry.ts";
import { createRouteTable } from "./http/route-table.ts";
import { createMcp } from "./mcp/mcp-endpoint.ts";
import { tools } from "./mcp/tools.ts";
import { followedChangelog, followedPriceChanges } from "./log-hub/followed-logs.ts";
import { createLogHub } from "./log-hub/log-hub.ts";
import { reportCapacity } from "./metrics/capacity-metrics.ts";
import { openMetricsPort } from "./metrics/open-metrics-port.ts";
import type { MetricsPort } from "./metrics/open-metrics-port.ts";
import { createRequestMetrics } from "./metrics/request-metrics.ts";
import type { ProcedureContext } from "./operations/operation.ts";
import { appRouter, streams, subscriptions, webFeeds } from "./operations/router.ts";
import { respondWithArt } from "./pages/cover-art.ts";
import { createPages } from "./pages/create-pages.ts";
import { protectionDefaults } from "./protection/environment.ts";
import { createRateLimiter } from "./protection/rate-limiter.ts";
import { securityHeaders } from "./protection/security-headers.ts";
import { documentEndpoint, probeEndpoints } from "./rest/fixed-endpoints.ts";
import { OpenResponses } from "./rest/open-responses.ts";
import { operationEndpoints } from "./rest/operation-endpoints.ts";
import { responseHeadersByOperation } from "./rest/response-headers.ts";
import { createRestHandler } from "./rest/rest-handler.ts";
import { snapshotEndpoint } from "./rest/snapshot-endpoint.ts";
import { streamEndpoints } from "./rest/stream-endpoints.ts";
import { webFeedEndpoints } from "./rest/web-feed-endpoints.ts";
import { createChanges } from "./snapshot/changes.ts";
import { createSnapshots } from "./snapshot/snapshots.ts";
import type { ReadLog } from "./tags/read-log.ts";
import { createFindOutput, createQueryResponder } from "./trpc/query-responder.ts";
import { subscriptionEndpoints } from "./rest/subscription-endpoints.ts";
import { createExpressApp } from "./trpc/express-app.ts";
import { Admission } from "./upstream/admission.ts";
import { copiesMax, createClients } from "./upstream/clients.ts";
import type { RequestContext } from "./upstream/request-context.ts";
import type { CallLimits } from "./upstream/single-flight.ts";

/**
 * Composes the gateway.
 *
 * @throws Error of the file system when there is no such directory of pages
 */
export function createGateway(options: GatewayOptions): Gateway {
  const settings = { ...gatewayDefaults, shutdownDelayMs: 0, ...options };
  const {
    serviceUrls,
    logger,
    metrics = createMetrics({ service: "gateway" }),
    redisUrl,
    requestTimeoutMs,
    shutdownDelayMs,
    streamsMax,
    streamLingerMs = 30_000,
    streamMemoryBytes = 16 * 2 ** 20,
    bodyLimitBytes,
    stallTimeoutMs,
    snapshotDirectory = tmpdir(),
    pagesDirectory,
    corsOrigins,
    tracer,
  } = settings;
  const { rateLimits, trustedProxies, hstsMaxAgeSeconds } = {
    ...protectionDefaults,
    ...options.protection,
  };
  const limiter = rateLimits && createRateLimiter(rateLimits, redisUrl, logger, metrics);
  const fixedHeaders = securityHeaders(hstsMaxAgeSeconds, corsOrigins.length === 0);
  const respondWithPage = pagesDirectory === undefined ? undefined : createPages(pagesDirectory);
  const { adminTokens, webhooksUrl: url } = settings;
  const clients = createClients(serviceUrls, {
    ...settings,
    webhooks: adminTokens && { url, token: adminTokens[0] },
    clientMetrics: createClientMetrics(metrics),
  });
  const openStreams = new OpenResponses({
    noun: "stream",
    max: streamsMax,
    perAddressMax: settings.streamsPerAddressMax,
  });
  const admission = new Admission(settings.workInFlightMax);
  const admin = createAdminAccess(adminTokens);
  const aggregations = new RecentAggregations();
  const { observeRequest, observeProcedure, countCacheResult } = createRequestMetrics(metrics);
  const cache = redisUrl === undefined ? undefined : createCacheStore({ redisUrl, logger });

  // From now on: its body may have taken long to arrive.
  const limitsFor = (signal: AbortSignal) => ({
    signal,
    deadlineAt: performance.now() + requestTimeoutMs,
  });
  const contextFor = (
    request: CallLimits &
      Pick<
        RequestContext,
        "requestId" | "traceparent" | "tracestate" | "cookie" | "authorization" | "reads"
      >,
  ): RequestContext => ({
    ...request,
    upstreamCalls: [],
    observeProcedure,
    admin,
    admission,
    clients,
    aggregations,
    cache,
    degraded: new Set(),
    countryFromCookie: false,
    isCreated: false,
  });
  const createContext = (
    exchange: Exchange,
    limits: CallLimits = limitsFor(exchange.client.signal),
    reads?: ReadLog,
  ): RequestContext =>
    contextFor({
      requestId: exchange.requestId,
      ...limits,
      ...passedTrace(exchange, tracer),
      cookie: exchange.request.headers.cookie,
      authorization: exchange.request.headers.authorization,
      reads,
    });
  const hubOptions = {
    createContext: (signal: AbortSignal) =>
      contextFor({
        requestId: randomUUID(),
        ...limitsFor(signal),
        traceparent: undefined,
        tracestate: undefined,
        cookie: undefined,
        authorization: undefined,
        reads: undefined,
      }),
    openTimeoutMs: requestTimeoutMs,
    lingerMs: streamLingerMs,
    ringBytes: streamMemoryBytes,
  };
  const hubs = {
    changelog: createLogHub(followedChangelog, hubOptions),
    priceChanges: createLogHub(followedPriceChanges, hubOptions),
  };
  const feeds = clients.copyFeeds;
  const changes = createChanges({
    feeds,
    followersMax: copiesMax,
    openTimeoutMs: requestTimeoutMs,
  });
  const snapshots = createSnapshots({ feeds, directory: snapshotDirectory, logger });
  currentRegions.defaultCountry = settings.defaultCountry;
  const regions = followRegions({
    clients,
    createContext: hubOptions.createContext,
    logger,
    isFed: settings.responseCacheBytes > 0,
    onChanged: () => cached?.responses.clear(),
  });
  const cached = createResponseCache({
    maxSizeBytes: settings.responseCacheBytes,
    shared: cache,
    tagHeader: settings.cdnTagHeader,
    feedClients: clients.feeds,
    onRegions: regions.refresh,
    createContext,
    requestTimeoutMs,
    logger,
    metrics,
  });

  let metricsPort: MetricsPort | undefined;
  let closed: Promise<void> | undefined;
  const respondWithDocs = createDocs(
    openApiDocument,
    tools.map(({ name }) => name),
  );
  const cors = createCorsPolicy(corsOrigins);
  const opening = { openStreams, hubs, changes };
  const endpoints = [
    ...operationEndpoints(appRouter, admin, bodyLimitBytes),
    ...streamEndpoints(streams, opening),
    ...subscriptionEndpoints(subscriptions, opening),
    snapshotEndpoint(snapshots),
    ...webFeedEndpoints(webFeeds, settings.publicUrl),
    documentEndpoint(openApiDocument, settings.publicUrl),
    ...probeEndpoints(() => closed !== undefined),
  ];
  const headersOf = responseHeadersByOperation(endpoints, cors.variesByOrigin);
  const findOutputFor = cached && createFindOutput(cached.responses, headersOf, countCacheResult);
  const respondByExpress = createExpressApp({
    router: appRouter,
    createContext(exchange): ProcedureContext {
      const ctx = createContext(exchange);
      return { ...ctx, findOutput: findOutputFor?.(exchange, ctx) };
    },
    bodyLimitBytes,
    variesByOrigin: cors.variesByOrigin,
  });
  const respondToQuery = createQueryResponder({
    router: appRouter,
    responses: cached?.responses,
    createContext,
    headersOf,
    observeProcedure,
    sendFailure: respondByExpress,
  });
  const respondWithMcp = createMcp({
    version: openApiDocument.info.version,
    router: appRouter,
    createContext,
    findOutputFor,
    corsOrigins,
    bodyLimitBytes,
  });
  const server = createHttpServer({
    ...settings,
    tracer,
    readAddress: createClientAddressReader(trustedProxies),
    observe: observeRequest,
    securityHeaders: fixedHeaders,
    handle: createRestHandler({
      matchRoute: createRouteTable(endpoints),
      headersOf,
      cors,
      securityHeaders: fixedHeaders,
      limiter,
      responses: cached?.responses,
      createContext,
      stallTimeoutMs,
      respondToQuery,
      fallback(exchange, target, headers) {
        if (respondWithMcp(exchange, target, headers)) return;
        if (respondWithPage?.(exchange, target, headers) === true) return;
        if (respondWithDocs(exchange, target, headers)) return;
        if (respondWithArt(exchange, target, headers)) return;
        respondByExpress(exchange, target, headers);
      },
    }),
  });

  reportCapacity(metrics, {
    server,
    admission,
    upstreams: clients.upstreams,
    streams: openStreams,
    streamsMax,
    hubs: Object.values(hubs),
  });

  async function closeAll(): Promise<void> {
    server.drain();
    if (shutdownDelayMs > 0) await setTimeout(shutdownDelayMs);
    openStreams.close();
    for (const hub of Object.values(hubs)) hub.close();
    await snapshots.close();
    await server.close();
    // Their streams end only so.
    await Promise.all([cached?.feeds.close(), regions.close()]);
    await Promise.all([clients.close(), cache?.close(), limiter?.close()]);
    await metricsPort?.close();
    await tracer?.close();
  }

  return {
    async listen({ port, host, metricsPort: wantedPort }) {
      if (wantedPort !== undefined) {
        metricsPort = await openMetricsPort({ metrics, port: wantedPort, host, logger });
      }
      cached?.feeds.start();
      await regions.start();
      const listening = await server.listen({ port, host });
      return { ...listening, metricsPort: metricsPort?.port };
    },
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}
