import type { Logger, Metrics } from "@storefront/process";
import { once } from "node:events";
import { createServer } from "node:http";
import { listenOn } from "../http/http-server.ts";
import type { ListenAddress } from "../http/http-server.ts";
import { send } from "../http/send.ts";

export interface MetricsPortOptions extends ListenAddress {
  metrics: Metrics;
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
export async function openMetricsPort(options: MetricsPortOptions): Promise<MetricsPort> {
  const { metrics, logger, ...address } = options;
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
  const { port } = await listenOn(server, address);
  return {
    port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
