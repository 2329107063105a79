import { listenError } from "@storefront/rpc";
import { readTraceParent, runForSpan } from "@storefront/process";
import type { Logger, Tracer } from "@storefront/process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ReadClientAddress } from "./client-address.ts";
import { ClientPresence } from "./exchange.ts";
import type { Exchange } from "./exchange.ts";
import { headerFieldsMax } from "./headers.ts";
import type { HttpOptions } from "./http-options.ts";
import { InFlight } from "./in-flight.ts";
import { beginRequestSpan, endRequestSpan, logRequest } from "./request-telemetry.ts";
import { respondToSocketErrors } from "./socket-errors.ts";
import { announcesBody, closeUnlessComplete } from "./unfinished-body.ts";

/** Sends the response to a request; never rejects. */
export type HandleExchange = (exchange: Exchange) => Promise<void>;

export interface HttpServerDependencies extends HttpOptions {
  logger: Logger;
  /** Undefined traces nothing. */
  tracer: Tracer | undefined;
  readAddress: ReadClientAddress;
  handle: HandleExchange;
  /** Called with every exchange that has ended. */
  observe: (exchange: Exchange) => void;
  /** Headers of every response: names and values in turn. */
  securityHeaders: readonly string[];
}

/** Port 0 lets the system choose; without a host every address is listened on. */
export interface ListenAddress {
  port: number;
  host?: string | undefined;
}

/** The gateway's public port. */
export interface HttpServer {
  readonly inFlightCount: number;
  /** Connections that were closed because there were too many. */
  readonly refusedConnectionCount: number;
  listen: (address: ListenAddress) => Promise<{ port: number }>;
  /** Makes each response from now on the last one of its connection. */
  drain: () => void;
  /** Refuses new connections; resolves when all are closed. */
  close: () => Promise<void>;
}

/** Of the request line and the headers together; Node's default. */
const headersMaxBytes = 16 * 1024;
/** How often timeouts are checked. */
const checkIntervalMs = 1000;

/** An HTTP/1.1 server that gives every request an exchange and a line in the log. */
export function createHttpServer(dependencies: HttpServerDependencies): HttpServer {
  const { logger, tracer, readAddress, handle, observe } = dependencies;
  const { headersTimeoutMs, arrivalTimeoutMs, responseTimeoutMs } = dependencies;
  const inFlight = new InFlight();
  const bytesWritten = new WeakMap<Socket, number>();
  let draining = false;
  let refusedConnectionCount = 0;
  let sweep: NodeJS.Timeout | undefined;

  // A client that reads a little now and then never stalls.
  const cutSlowReaders = () => {
    const startedBefore = performance.now() - responseTimeoutMs;
    for (const { response, startedAt, extraTimeMs } of inFlight.exchanges) {
      if (startedAt + extraTimeMs < startedBefore) response.destroy();
    }
  };

  // Those of pipelined requests may be counted with the first of them.
  const countSentBytes = (socket: Socket) => {
    const before = bytesWritten.get(socket) ?? 0;
    bytesWritten.set(socket, socket.bytesWritten);
    return socket.bytesWritten - before;
  };

  const respond = (request: IncomingMessage, response: ServerResponse) => {
    // The response before was the last one of the connection.
    if (request.socket.writableEnded) return;
    const exchange = beginExchange(request, response, readAddress(request), tracer);
    const { span } = exchange;
    const leave = inFlight.enter(exchange);
    if (draining) response.shouldKeepAlive = false;
    response.once("close", () => {
      leave();
      if (!response.writableFinished) exchange.client.leave();
      observe(exchange);
      if (span !== undefined) endRequestSpan(span, exchange);
      logRequest(logger, exchange, countSentBytes(request.socket));
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
      if (!request.complete) closeUnlessComplete(exchange, arrivalTimeoutMs, () => draining);
      begin();
    });
  };

  const server = createServer(
    {
      keepAliveTimeout: dependencies.keepAliveTimeoutMs,
      requestTimeout: arrivalTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, arrivalTimeoutMs),
      connectionsCheckingInterval: checkIntervalMs,
      maxHeaderSize: headersMaxBytes,
      // `checkHeaders` does this, since node:http responds without a body.
      requireHostHeader: false,
    },
    respond,
  );
  // As above.
  server.on("checkExpectation", respond);
  respondToSocketErrors(server, dependencies.securityHeaders);
  // One more than is allowed, since node:http drops those beyond.
  server.maxHeadersCount = headerFieldsMax + 1;
  // Of a connection with a request in progress; idle ones have `keepAliveTimeout`.
  server.timeout = dependencies.stallTimeoutMs;
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
    async listen(address) {
      const listening = await listenOn(server, address);
      sweep = setInterval(cutSlowReaders, checkIntervalMs).unref();
      return listening;
    },
    drain() {
      draining = true;
      for (const { response } of inFlight.exchanges) response.shouldKeepAlive = false;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      const force = setTimeout(() => server.closeAllConnections(), dependencies.shutdownTimeoutMs);
      await closed;
      clearTimeout(force);
      clearInterval(sweep);
    },
  };
}

/** @throws ListenError */
export async function listenOn(
  server: Server,
  { port, host }: ListenAddress,
): Promise<{ port: number }> {
  server.listen({ port, host });
  await once(server, "listening").catch((error: Error) => {
    throw listenError(port, error);
  });
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : port };
}

const requestIdRule = /^[\x21-\x7e]{1,128}$/;

/**
 * Begins an exchange. The client's request id is used if it is 1 to 128 visible ASCII characters.
 *
 * @param tracer undefined traces nothing
 */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  clientAddress: string,
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
    clientAddress,
    client: new ClientPresence(),
    parent,
    span: tracer === undefined ? undefined : beginRequestSpan(tracer, request, parent),
    startedAt: performance.now(),
    operation: "unknown",
    route: undefined,
    cacheResult: undefined,
    failure: undefined,
    extraTimeMs: 0,
  };
}
