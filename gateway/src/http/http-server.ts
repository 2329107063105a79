import { listenError } from "@storefront/rpc";
import { readTraceParent, runForSpan } from "@storefront/telemetry";
import type { Logger, Tracer } from "@storefront/telemetry";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { headerFieldsMax } from "./check-headers.ts";
import type { ReadClientAddress } from "./client-address.ts";
import { ClientPresence } from "./client-presence.ts";
import { watchConnections } from "./connections.ts";
import type { Connection } from "./connections.ts";
import { defaultTimeouts } from "./default-timeouts.ts";
import type { Exchange } from "./exchange.ts";
import { InFlight } from "./in-flight.ts";
import { logExchange } from "./log-exchange.ts";
import { beginRequestSpan, endRequestSpan } from "./request-span.ts";
import { answerSocketErrors } from "./socket-errors.ts";
import { announcesBody, closeUnlessComplete, ignoresBody } from "./unfinished-body.ts";

/** Answers a request; never rejects. */
export type HandleExchange = (exchange: Exchange) => Promise<void>;

/** What the HTTP server works with. */
export interface HttpServerDependencies {
  logger: Logger;
  /** Undefined traces nothing. */
  tracer: Tracer | undefined;
  /** Tells, for the log, where requests come from. */
  readAddress: ReadClientAddress;
  handle: HandleExchange;
  /** Told of every exchange that has ended. */
  observe: (exchange: Exchange) => void;
  /** How long requests under way may take once the server closes. */
  shutdownTimeoutMs: number;
  /** Connections at a time; more are closed. */
  connectionsMax: number;
  /** How long a client may take nothing of an answer before its connection is cut. */
  stallTimeoutMs: number;
  /** Headers of every answer: names and values in turn. */
  securityHeaders: readonly string[];
  /** How long a request line and its headers may take to arrive; default 10 s. */
  headersTimeoutMs?: number | undefined;
  /** How long a whole request may take to arrive; default 30 s. */
  arrivalTimeoutMs?: number | undefined;
  /**
   * How long a client may take for a whole response; files have more by their size, streams of events any time.
   * Default 2 minutes.
   */
  answerTimeoutMs?: number | undefined;
  /** How long an idle connection is kept; default 620 s. */
  keepAliveTimeoutMs?: number | undefined;
}

/** The gateway's socket to the world. */
export interface HttpServer {
  /** Requests under way. */
  readonly inFlightCount: number;
  /** Connections that were closed because there were too many, since the beginning. */
  readonly refusedConnectionCount: number;
  /** @throws ListenError */
  listen: (address: { port: number; host?: string | undefined }) => Promise<{ port: number }>;
  /** Asks clients to leave: from now on each answer is the last one of its connection. */
  drain: () => void;
  /** Refuses new connections; ends when none is left. */
  close: () => Promise<void>;
}

// The request line and the headers together; Node's default, said here because it is a limit.
const headersMaxBytes = 16 * 1024;
/** How often clients that are too slow are looked for. */
const checkIntervalMs = 1000;

/** An HTTP/1.1 server that gives every request an exchange and a line in the log. */
export function createHttpServer(dependencies: HttpServerDependencies): HttpServer {
  const { logger, handle, observe, shutdownTimeoutMs, stallTimeoutMs, securityHeaders } =
    dependencies;
  const { tracer, readAddress } = dependencies;
  const {
    headersTimeoutMs = defaultTimeouts.headersMs,
    arrivalTimeoutMs = defaultTimeouts.arrivalMs,
    answerTimeoutMs = defaultTimeouts.answerMs,
    keepAliveTimeoutMs = defaultTimeouts.keepAliveMs,
  } = dependencies;
  const inFlight = new InFlight();
  let draining = false;
  let refusedConnectionCount = 0;
  let sweep: NodeJS.Timeout | undefined;

  // Who takes a little now and then is never idle.
  const cutSlowReaders = () => {
    const startedBefore = performance.now() - answerTimeoutMs;
    for (const { response, startedAt, extraTimeMs } of inFlight.exchanges) {
      if (startedAt + extraTimeMs < startedBefore) response.destroy();
    }
  };

  const whileBodyArrives = (request: IncomingMessage, response: ServerResponse) => {
    const { shouldKeepAlive } = response;
    closeUnlessComplete(request, response, arrivalTimeoutMs);
    request.once("end", () => {
      response.shouldKeepAlive = shouldKeepAlive && !draining;
    });
    if (ignoresBody(request)) request.resume();
  };

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // The response before was the last one of the connection.
    if (request.socket.writableEnded) return;
    const exchange = beginExchange(request, response, connectionOf(request.socket), tracer);
    const { span } = exchange;
    const leave = inFlight.enter(exchange);
    if (draining) response.shouldKeepAlive = false;
    response.once("close", () => {
      leave();
      if (!response.writableFinished) exchange.client.leave();
      observe(exchange);
      if (span !== undefined) endRequestSpan(span, exchange);
      logExchange(logger, exchange, readAddress);
    });
    const begin = () => {
      if (span === undefined) void handle(exchange);
      else void runForSpan(span, () => handle(exchange));
    };
    if (!announcesBody(request)) {
      begin();
      return;
    }
    // Most bodies come with the head, and are parsed after it.
    setImmediate(() => {
      if (!request.complete) whileBodyArrives(request, response);
      begin();
    });
  };

  const server = createServer(
    {
      keepAliveTimeout: keepAliveTimeoutMs,
      requestTimeout: arrivalTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, arrivalTimeoutMs),
      connectionsCheckingInterval: checkIntervalMs,
      maxHeaderSize: headersMaxBytes,
      // Its own answer has no body; the REST handler checks for the header.
      requireHostHeader: false,
    },
    answer,
  );
  // Its own answer has no body; the REST handler refuses what is expected.
  server.on("checkExpectation", answer);
  const connectionOf = watchConnections(server);
  answerSocketErrors(server, securityHeaders);
  // One more than is allowed, since node:http drops what is beyond.
  server.maxHeadersCount = headerFieldsMax + 1;
  // Of a connection with a request under way; idle ones have their own limit.
  server.timeout = stallTimeoutMs;
  server.maxConnections = dependencies.connectionsMax;
  server.on("drop", () => {
    refusedConnectionCount += 1;
  });

  return {
    get inFlightCount() {
      return inFlight.count;
    },
    get refusedConnectionCount() {
      return refusedConnectionCount;
    },
    async listen({ port, host }) {
      server.listen({ port, host });
      await once(server, "listening").catch((error: Error) => {
        throw listenError(port, error);
      });
      sweep = setInterval(cutSlowReaders, checkIntervalMs).unref();
      const address = server.address();
      return { port: typeof address === "object" && address !== null ? address.port : port };
    },
    drain() {
      draining = true;
      for (const { response } of inFlight.exchanges) response.shouldKeepAlive = false;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      const force = setTimeout(() => server.closeAllConnections(), shutdownTimeoutMs);
      await closed;
      clearTimeout(force);
      clearInterval(sweep);
    },
  };
}

const requestIdRule = /^[\x21-\x7e]{1,128}$/;

/** Of a request that is answered before it is known what it asks for, or asks for nothing that there is. */
const unknownOperation = "unknown";

/**
 * Begins an exchange. A sent request id is kept if it is 1 to 128 visible ASCII characters.
 *
 * @param tracer undefined traces nothing
 */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
  tracer: Tracer | undefined,
): Exchange {
  const { "x-request-id": sentId, traceparent, tracestate } = request.headers;
  const parent =
    typeof traceparent === "string" ? readTraceParent(traceparent, tracestate) : undefined;
  return {
    request,
    response,
    url: request.url ?? "",
    requestId: typeof sentId === "string" && requestIdRule.test(sentId) ? sentId : randomUUID(),
    connection,
    client: new ClientPresence(),
    parent,
    span: tracer === undefined ? undefined : beginRequestSpan(tracer, request, parent),
    startedAt: performance.now(),
    operation: unknownOperation,
    route: undefined,
    cacheResult: undefined,
    failure: undefined,
    extraTimeMs: 0,
  };
}
