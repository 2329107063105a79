import { createCacheStore } from "@storefront/cache";
import type { Logger } from "@storefront/telemetry";
import openApiDocument from "../openapi.json" with { type: "json" };
import { createClients, defaultStreamsMax } from "./clients.ts";
import type { RequestContext } from "./context.ts";
import { createExpressApp } from "./express-app.ts";
import { createHttpServer } from "./http-server.ts";
import { createCorsPolicy } from "./rest/cors.ts";
import { documentEndpoint } from "./rest/document-endpoint.ts";
import type { Exchange } from "./rest/exchange.ts";
import { createOpenStreams } from "./rest/open-streams.ts";
import { operationEndpoints } from "./rest/operation-endpoints.ts";
import { createRestHandler } from "./rest/rest-handler.ts";
import { createRouteTable } from "./rest/route-table.ts";
import { streamEndpoints } from "./rest/stream-endpoints.ts";
import { appRouter } from "./routers/router.ts";
import { streams } from "./routers/streams.ts";
import type { ServiceName } from "./service-names.ts";

/** What a gateway is made of. */
export interface GatewayOptions {
  /** Base URLs of the services' Connect ports. */
  serviceUrls: Record<ServiceName, string>;
  logger: Logger;
  /** Where the shared cache is; default: this process's memory. */
  redisUrl?: string | undefined;
  /** Origins whose scripts may call with credentials; default: any origin, without. */
  corsOrigins?: readonly string[] | undefined;
  /** How long a request may take, in milliseconds; default 5 s. */
  requestTimeoutMs?: number | undefined;
  /** Clients that may follow the changelog at a time; more are answered 503. Default 100. */
  streamsMax?: number | undefined;
  /**
   * How long a client may take nothing of its answer before it is cut off; default 60 s. Longer than
   * `requestTimeoutMs`.
   */
  stallTimeoutMs?: number | undefined;
  /** How long requests under way may take once the gateway closes; default 10 s. */
  drainTimeoutMs?: number | undefined;
}

/** A gateway that can be started once. */
export interface Gateway {
  /**
   * Starts to answer. Port 0 lets the system choose; without a host every address is listened on.
   *
   * @throws ListenError when the port or the host cannot be had
   */
  listen(address: { port: number; host?: string | undefined }): Promise<{ port: number }>;
  /** Finishes the requests under way, then lets go of everything. A second call does nothing. */
  close(): Promise<void>;
}

/** Composes the gateway. */
export function createGateway(options: GatewayOptions): Gateway {
  const {
    serviceUrls,
    logger,
    redisUrl,
    requestTimeoutMs = 5000,
    drainTimeoutMs = 10_000,
    streamsMax = defaultStreamsMax,
    stallTimeoutMs = 60_000,
  } = options;
  const clients = createClients(serviceUrls, streamsMax);
  const openStreams = createOpenStreams(streamsMax);
  const cache = createCacheStore({ redisUrl, logger });

  const createContext = (exchange: Exchange): RequestContext => ({
    requestId: exchange.requestId,
    traceparent: exchange.traceparent,
    deadlineAt: exchange.startedAt + requestTimeoutMs,
    upstreamCalls: [],
    clients,
    cache,
    cookie: exchange.request.headers.cookie,
    degraded: new Set(),
    countryFromCookie: false,
  });

  const server = createHttpServer({
    logger,
    drainTimeoutMs,
    stallTimeoutMs,
    handle: createRestHandler({
      matchRoute: createRouteTable([
        ...operationEndpoints(appRouter),
        ...streamEndpoints(streams, openStreams),
        documentEndpoint("/openapi.json", openApiDocument),
      ]),
      cors: createCorsPolicy(options.corsOrigins ?? []),
      createContext,
      stallTimeoutMs,
      fallback: createExpressApp({ router: appRouter, createContext }),
    }),
  });

  async function closeAll(): Promise<void> {
    openStreams.close();
    await server.close();
    await Promise.all([clients.close(), cache.close()]);
  }

  let closed: Promise<void> | undefined;
  return {
    listen: server.listen,
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}
