import { listenError } from "@storefront/rpc";
import type { Logger, Metrics } from "@storefront/telemetry";
import { once } from "node:events";
import { createServer } from "node:http";

/** What the port is made of. */
export interface MetricsPortOptions {
  metrics: Metrics;
  /** 0 lets the system choose. */
  port: number;
  /** Default: every address. */
  host?: string | undefined;
  logger: Logger;
}

/** A port that listens. */
export interface MetricsPort {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` alone, on a port that clients have no way to: what it says about load and
 * failures is for operators.
 *
 * @throws ListenError
 */
export async function openMetricsPort({
  metrics,
  port,
  host,
  logger,
}: MetricsPortOptions): Promise<MetricsPort> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
      return;
    }
    metrics.metrics().then(
      (page) => response.writeHead(200, { "Content-Type": metrics.contentType }).end(page),
      (err: unknown) => {
        logger.error({ err }, "the page of metrics failed");
        response.writeHead(500).end();
      },
    );
  });
  server.listen({ port, host });
  await once(server, "listening").catch((error: Error) => {
    throw listenError(port, error);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
