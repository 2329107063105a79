import { connectNodeAdapter } from "@connectrpc/connect-node";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import type { Logger, Metrics } from "@storefront/process";
import { toConnectError } from "../errors/connect-error.ts";
import { responseLimitBytes, requestLimitBytes } from "../limits.ts";
import { createHttpServer, discardRest, listenOn } from "./create-http-server.ts";
import { createOperatorPages, send } from "./operator-pages.ts";
import { createStockRoutes } from "./create-stock-routes.ts";
import { createUnaryFastPath } from "./create-unary-fast-path.ts";
import type { ProvidedService } from "./provide.ts";
import type { Readiness } from "./readiness.ts";
import type { CallDependencies } from "./server-call.ts";
import type { ServerTls } from "./server-tls.ts";

const drainPollMs = 20;

/** One listening port of a server. */
export interface Port {
  port: number;
  /** Refuses new connections; running calls continue. */
  stopAccepting(): void;
  /** Resolves when the last connection is closed. */
  closed: Promise<void>;
  /** Cuts off remaining connections. */
  force(): void;
}

/** Dependencies of the ports of a server. */
export interface PortDependencies extends CallDependencies {
  services: readonly ProvidedService[];
  metrics: Metrics;
  readiness: Readiness;
  logger: Logger;
  tls: ServerTls | undefined;
}

/** Listens for Connect, gRPC-Web and operators over HTTP/1.1. `port` 0 lets the system choose. */
export async function openConnectPort(
  port: number,
  host: string,
  dependencies: PortDependencies,
): Promise<Port> {
  const { services, readiness } = dependencies;
  const authorizers = new Map(
    services.map(({ service, authorize }) => [service.typeName, authorize]),
  );
  const operations = createOperatorPages(dependencies);
  const fastPath = createUnaryFastPath(services, dependencies);
  const stockPath = connectNodeAdapter({
    routes: createStockRoutes(services, dependencies),
    // gRPC has its own port.
    grpc: false,
    readMaxBytes: requestLimitBytes,
    writeMaxBytes: responseLimitBytes,
    requestGate({ service, requestHeader }) {
      try {
        authorizers.get(service.typeName)?.(requestHeader.get("authorization"));
      } catch (error) {
        throw toConnectError(error);
      }
    },
  });

  const { server, mayCall, cut } = createHttpServer(dependencies.tls, (request, response) => {
    if (readiness.draining) response.shouldKeepAlive = false;
    if (!mayCall(request.socket)) {
      if (operations(request, response)) return;
      // Before any protocol; clients of other protocols than Connect understand the status.
      const error = new ConnectError("a client certificate is needed", Code.Unauthenticated);
      const body = errorToJsonBytes(error, undefined);
      send(response, codeToHttpStatus(error.code), "application/json", body);
      discardRest(request);
      return;
    }
    if (fastPath(request, response) || operations(request, response)) return;
    // The adapter stops reading a request that it rejects. That must not destroy the request: Node would then
    // read nothing more from its connection.
    request[Symbol.asyncIterator] = () => request.iterator({ destroyOnReturn: false });
    response.once("finish", () => discardRest(request));
    // The adapter waits for `drain` after a write to a closed connection, and would never end the
    // handler of a stream.
    response.once("close", () => response.emit("drain"));
    try {
      stockPath(request, response);
    } catch {
      // The adapter throws on a missing or invalid `host`, which any client can send.
      response.writeHead(400).end();
    }
  });
  // Streams have no time limit; the time to send a request is still limited.
  server.timeout = 0;
  const boundPort = await listenOn(server, port, host);

  const closing = Promise.withResolvers<void>();
  return {
    port: boundPort,
    stopAccepting() {
      // Connections that become idle after this are closed by the timer.
      const timer = setInterval(() => server.closeIdleConnections(), drainPollMs);
      server.close(() => {
        clearInterval(timer);
        closing.resolve();
      });
    },
    closed: closing.promise,
    force: cut,
  };
}
