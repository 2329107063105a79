import { listenError } from "@storefront/rpc";
import type { Logger } from "@storefront/telemetry";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { beginExchange, logExchange } from "./rest/exchange.ts";
import type { RestHandler } from "./rest/rest-handler.ts";
import { answerSocketErrors } from "./rest/socket-errors.ts";

/** What the HTTP server works with. */
export interface HttpServerDependencies {
  logger: Logger;
  handle: RestHandler;
  /** How long requests under way may take once the server closes. */
  drainTimeoutMs: number;
  /** How long a client may take nothing of an answer before its connection is cut. */
  stallTimeoutMs: number;
}

/** The gateway's socket to the world. */
export interface HttpServer {
  /** @throws ListenError */
  listen: (address: { port: number; host?: string | undefined }) => Promise<{ port: number }>;
  /** Ends when no connection is left. */
  close: () => Promise<void>;
}

// Longer than load balancers keep an idle connection (60 s), so that they never send into a closing one.
const keepAliveTimeoutMs = 65_000;
// Requests are small: one that has not come in by then never will.
const requestArrivalTimeoutMs = 30_000;

/** An HTTP/1.1 server that gives every request an exchange and a line in the log. */
export function createHttpServer(dependencies: HttpServerDependencies): HttpServer {
  const { logger, handle, drainTimeoutMs, stallTimeoutMs } = dependencies;
  const inFlight = new Set<ServerResponse>();
  let draining = false;

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const exchange = beginExchange(request, response);
    inFlight.add(response);
    if (draining) response.shouldKeepAlive = false;
    response.once("close", () => {
      inFlight.delete(response);
      logExchange(logger, exchange);
    });
    void handle(exchange);
  };

  const server = createServer(
    {
      keepAliveTimeout: keepAliveTimeoutMs,
      requestTimeout: requestArrivalTimeoutMs,
      headersTimeout: requestArrivalTimeoutMs,
      // Its own answer has no body; the REST handler checks for the header.
      requireHostHeader: false,
    },
    answer,
  );
  // Its own answer has no body; the REST handler refuses what is expected.
  server.on("checkExpectation", answer);
  answerSocketErrors(server);
  // Of a connection with a request under way; idle ones have their own limit.
  server.timeout = stallTimeoutMs;

  return {
    async listen({ port, host }) {
      server.listen({ port, host });
      await once(server, "listening").catch((error: Error) => {
        throw listenError(port, error);
      });
      const address = server.address();
      return { port: typeof address === "object" && address !== null ? address.port : port };
    },
    async close() {
      draining = true;
      if (!server.listening) return;
      for (const response of inFlight) response.shouldKeepAlive = false;
      const closed = once(server, "close");
      server.close();
      const force = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
      await closed;
      clearTimeout(force);
    },
  };
}
