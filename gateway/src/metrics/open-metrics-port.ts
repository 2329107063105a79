import { listenError } from "@storefront/rpc";
import type { Logger, Metrics } from "@storefront/telemetry";
import { once } from "node:events";
import { createServer } from "node:http";
import { send } from "../http/send.ts";

export interface MetricsPortOptions {
  metrics: Metrics;
  /** 0 lets the system choose. */
  port: number;
  /** Default: every address. */
  host?: string | undefined;
  logger: Logger;
}

export interface MetricsPort {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` alone, on a port that clients cannot reach: load and failures are for operators.
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
    const messages = { request, response };
    if (request.url !== "/metrics") {
      send(messages, 404, []);
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      send(messages, 405, ["Allow", "GET, HEAD"]);
    } else {
      metrics.metrics().then(
        (page) => send(messages, 200, ["Content-Type", metrics.contentType], Buffer.from(page)),
        (err: unknown) => {
          logger.error({ err }, "the page of metrics failed");
          send(messages, 500, []);
        },
      );
    }
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
