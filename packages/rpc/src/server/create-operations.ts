import type { Logger, Metrics } from "@storefront/telemetry";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readiness } from "./readiness.ts";

/** What the pages for operators use. */
export interface OperationsDependencies {
  metrics: Metrics;
  readiness: Readiness;
  logger: Logger;
}

/** Serves `/livez`, `/readyz` and `/metrics`; returns false, having touched nothing, for the rest. */
export function createOperations({
  metrics,
  readiness,
  logger,
}: OperationsDependencies): (request: IncomingMessage, response: ServerResponse) => boolean {
  const pages = new Map<string, () => Promise<Page>>([
    ["/livez", async () => ({ status: 200, contentType: "text/plain", body: "ok\n" })],
    ["/readyz", async () => await readyPage(readiness)],
    [
      "/metrics",
      async () => ({
        status: 200,
        contentType: metrics.contentType,
        body: await metrics.metrics(),
      }),
    ],
  ]);
  return (request, response) => {
    const page = pages.get(request.url ?? "");
    if (page === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
    page().then(
      ({ status, contentType, body }) =>
        response.writeHead(status, { "content-type": contentType }).end(body),
      (err: unknown) => {
        logger.error({ err, path: request.url }, "page failed");
        response.writeHead(500).end();
      },
    );
    return true;
  };
}

interface Page {
  status: number;
  contentType: string;
  body: string;
}

async function readyPage(readiness: Readiness): Promise<Page> {
  const report = await readiness.report();
  return {
    status: report.ready ? 200 : 503,
    contentType: "application/json",
    body: `${JSON.stringify(report)}\n`,
  };
}
