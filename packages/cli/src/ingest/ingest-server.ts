import { Counter, reportGauge, settledWithin } from "@storefront/process";
import type { Logger, Metrics } from "@storefront/process";
import {
  createHttpServer,
  createOperatorPages,
  discardRest,
  listenOn,
  Readiness,
  tokenCheck,
} from "@storefront/rpc";
import type { ServerTls } from "@storefront/rpc";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { IngestSettings } from "./ingest-settings.ts";
import { receiveUpload } from "./receive-upload.ts";
import type { Upload, UploadOptions, UploadOutcome } from "./receive-upload.ts";

/** Time for a request's headers, in milliseconds; its body has only the limit of an idle client. */
const headersTimeoutMs = 10_000;

/** For responses in transit when the process ends, in milliseconds. */
const flushTimeoutMs = 500;

/** `Retry-After` of 429 and 503, in seconds: uploads take long. */
const retryAfterSeconds = 5;

export interface IngestServerOptions
  extends Omit<IngestSettings, "tlsFiles" | "logLevel">, Omit<UploadOptions, "signal" | "onBytes"> {
  /** Its port speaks TLS; default plain text. */
  tls?: ServerTls | undefined;
  logger: Logger;
  metrics: Metrics;
}

/** A running server of ingest by HTTP. */
export interface IngestServer {
  port: number;
  /** Lets running uploads finish for a while, then ends them with an error line. */
  close(): Promise<void>;
}

/** The response to a request that is not an upload. */
interface Refusal {
  status: number;
  code: string;
  message: string;
  headers?: Record<string, string>;
}

/**
 * Serves `POST` and `PUT /ingest`, and the operators' pages.
 *
 * @throws ListenError
 */
export async function startIngestServer(options: IngestServerOptions): Promise<IngestServer> {
  const { logger, metrics, uploadsMax, shutdownDelayMs, shutdownTimeoutMs } = options;
  const readiness = new Readiness({}, logger);
  const isPage = createOperatorPages({ metrics, readiness, logger });
  const isAllowed = tokenCheck(options.tokens);
  const running = new Set<Promise<void>>();
  const interruption = new AbortController();
  const measure = createUploadMetrics(metrics, () => running.size);
  let isClosing = false;

  const refusalOf = (request: IncomingMessage, mayCall: boolean): Refusal | undefined => {
    const { method = "", url = "", headers } = request;
    if (url.split("?")[0] !== "/ingest") {
      return { status: 404, code: "NOT_FOUND", message: "Observations go to /ingest." };
    }
    if (method !== "POST" && method !== "PUT") {
      const message = "/ingest takes POST and PUT.";
      const allow = { allow: "POST, PUT" };
      return { status: 405, code: "METHOD_NOT_ALLOWED", message, headers: allow };
    }
    if (!mayCall || !isAllowed(headers.authorization)) {
      const message = mayCall
        ? "The request needs authorization: Bearer and a token of INGEST_HTTP_TOKEN."
        : "A client certificate is needed.";
      const challenge = { "www-authenticate": "Bearer" };
      return { status: 401, code: "UNAUTHENTICATED", message, headers: challenge };
    }
    if (!/^(?:gzip|x-gzip|identity)?$/i.test(headers["content-encoding"]?.trim() ?? "")) {
      const message = "Content-Encoding must be gzip or absent.";
      const accepted = { "accept-encoding": "gzip" };
      return { status: 415, code: "UNSUPPORTED_MEDIA_TYPE", message, headers: accepted };
    }
    const later = { "retry-after": String(retryAfterSeconds) };
    if (isClosing) {
      const message = "The process is shutting down.";
      return { status: 503, code: "UNAVAILABLE", message, headers: later };
    }
    if (running.size >= uploadsMax) {
      const message = `${uploadsMax} uploads run already.`;
      return { status: 429, code: "RATE_LIMITED", message, headers: later };
    }
    return undefined;
  };

  const handle = (request: IncomingMessage, response: ServerResponse, waits: boolean) => {
    if (readiness.draining) response.shouldKeepAlive = false;
    if (isPage(request, response)) return;
    const refusal = refusalOf(request, mayCall(request.socket));
    if (refusal !== undefined) {
      // The client may send the body or the next request, which cannot be distinguished.
      if (waits) response.shouldKeepAlive = false;
      refuse(response, refusal);
      discardRest(request);
      return;
    }
    if (waits) response.writeContinue();
    const upload = receive({ request, response }).finally(() => running.delete(upload));
    running.add(upload);
  };

  const receive = async (upload: Upload) => {
    const { signal } = interruption;
    measure.ended(await receiveUpload(upload, { ...options, signal, onBytes: measure.bytes }));
    discardRest(upload.request);
  };

  const { server, mayCall, cut } = createHttpServer(options.tls, (request, response) =>
    handle(request, response, false),
  );
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    handle(request, response, true),
  );
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = 0;
  server.timeout = 0;
  const port = await listenOn(server, options.port, options.host ?? "0.0.0.0");
  logger.info({ port }, "listening");

  async function drain(): Promise<void> {
    readiness.drain();
    if (shutdownDelayMs > 0) await sleep(shutdownDelayMs);
    isClosing = true;
    const closed = once(server, "close");
    server.close();
    await settledWithin(shutdownTimeoutMs, Promise.all(running));
    if (running.size > 0) logger.warn({ uploads: running.size }, "uploads were ended");
    interruption.abort();
    await Promise.all(running);
    server.closeIdleConnections();
    await settledWithin(flushTimeoutMs, closed);
    cut();
    await closed;
    logger.info("closed");
  }

  let closing: Promise<void> | undefined;
  return { port, close: () => (closing ??= drain()) };
}

function refuse(response: ServerResponse, { status, code, message, headers }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(`${JSON.stringify({ error: { code, message } })}\n`);
}

function createUploadMetrics(metrics: Metrics, count: () => number) {
  const uploads = new Counter({
    name: "ingest_http_uploads_total",
    help: "Uploads by how they ended: complete, failed (with an error line) or cut by the client.",
    labelNames: ["outcome"],
    registers: [metrics],
  });
  const bytes = new Counter({
    name: "ingest_http_received_bytes_total",
    help: "Bytes of bodies, as received.",
    registers: [metrics],
  });
  reportGauge(metrics, { name: "ingest_http_uploads_in_flight", help: "Uploads that run." }, () => [
    [{}, count()],
  ]);
  return {
    bytes: (sizeBytes: number) => bytes.inc(sizeBytes),
    ended: (outcome: UploadOutcome) => uploads.inc({ outcome }),
  };
}
