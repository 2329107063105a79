import type { Logger, Metrics } from "@storefront/process";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readiness } from "./readiness.ts";

/** Dependencies of the pages. */
export interface OperatorPagesOptions {
  metrics: Metrics;
  readiness: Readiness;
  logger: Logger;
}

/** Serves `/livez`, `/readyz` and `/metrics`; returns false, without an effect, for other requests. */
export function createOperatorPages({ metrics, readiness, logger }: OperatorPagesOptions) {
  const pages = new Map<string, (response: ServerResponse) => Promise<void>>([
    ["/livez", async (response) => send(response, 200, "text/plain", "ok\n")],
    [
      "/readyz",
      async (response) => {
        const report = await readiness.report();
        const body = `${JSON.stringify(report)}\n`;
        send(response, report.ready ? 200 : 503, "application/json", body);
      },
    ],
    [
      "/metrics",
      async (response) => send(response, 200, metrics.contentType, await metrics.metrics()),
    ],
  ]);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const page = pages.get(request.url ?? "");
    if (page === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
    page(response).catch((err: unknown) => {
      logger.error({ err, path: request.url }, "page failed");
      response.writeHead(500).end();
    });
    return true;
  };
}

/** Sends a whole response. */
export function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string | Uint8Array,
): void {
  response.writeHead(status, { "content-type": contentType }).end(body);
}
