import { settledWithin } from "@storefront/process";
import type { Logger } from "@storefront/process";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { importSources } from "../import/import-sources.ts";
import type { ImportFailure } from "../import/import-sources.ts";
import { sourceOf } from "../import/open-source.ts";
import { createSummaryRecorder } from "../import/summary.ts";
import type { SummaryRecorder } from "../import/summary.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { isForTheUser } from "../user-error.ts";

/** Most rejected lines that the summary lists again, so that memory is bounded. */
const listedErrorsMax = 1000;

/** The body's name in the summary, as of standard input. */
const bodyName = "-";

/** How an upload ended. */
export type UploadOutcome = "complete" | "failed" | "cut";

/** An upload that has been allowed. */
export interface Upload {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Options of uploads. */
export interface UploadOptions {
  /** Opens the connections of one upload, which end with it. */
  connect: () => Promise<ServiceConnections>;
  /** How long an unavailable service is retried, in milliseconds. */
  retryForMs: number;
  /** Longest that a client may send nothing, or read nothing, in milliseconds. */
  idleTimeoutMs: number;
  logger: Logger;
  /** Ends uploads early. */
  signal: AbortSignal;
  /** Called with the size of each chunk of a body. */
  onBytes: (sizeBytes: number) => void;
}

/** The reason that an upload ended early, as its last line. */
interface UploadError {
  code: "INVALID_ARGUMENT" | "UNAVAILABLE" | "DEADLINE_EXCEEDED" | "INTERNAL";
  message: string;
  /** The first line that was not read, or has no response. */
  line?: number;
}

/**
 * Imports the body of a request. Responds with a line for each one that was not applied, as they occur, then with the
 * summary, or with an error. Never rejects.
 */
export async function receiveUpload(
  { request, response }: Upload,
  options: UploadOptions,
): Promise<UploadOutcome> {
  const write = (value: object) => {
    // Lines of an upload that was ended early may settle later.
    if (!response.writableEnded) response.write(`${JSON.stringify(value)}\n`);
  };
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  response.flushHeaders();
  const summary = createSummaryRecorder(
    ({ line, reason }, kind) => write({ line, kind, message: reason }),
    listedErrorsMax,
  );
  const error = await importBody({ request, response }, summary, options);
  const isCut = response.destroyed;
  write(
    error === undefined
      ? { summary: summary.result() }
      : { error: { ...error, summary: summary.result() } },
  );
  response.end();
  if (isCut) return "cut";
  return error === undefined ? "complete" : "failed";
}

/** @returns why it ended early, if it did */
async function importBody(
  upload: Upload,
  summary: SummaryRecorder,
  { connect, retryForMs, signal, ...options }: UploadOptions,
): Promise<UploadError | undefined> {
  const { logger } = options;
  const interrupted = Promise.withResolvers<never>();
  // It may occur before the code waits for it.
  interrupted.promise.catch(() => undefined);
  const interrupt = () => interrupted.reject(signal.reason);
  signal.addEventListener("abort", interrupt, { once: true });
  const unreadable: ImportFailure[] = [];
  try {
    await using connections = await connect();
    const importing = importSources([sourceOf(bodyName, () => bodyOf(upload, options))], {
      connections,
      summary,
      retryForMs,
      note: (message) => logger.warn(message),
      signal,
      onUnreadable: (failure) => unreadable.push(failure),
    });
    const broken = await Promise.race([importing, interrupted.promise]);
    if (broken.length > 0) return failureOf("UNAVAILABLE", broken);
    return unreadable.length > 0 ? failureOf("INVALID_ARGUMENT", unreadable) : undefined;
  } catch (error) {
    if (signal.aborted) {
      return { code: "UNAVAILABLE", message: "the process is shutting down, send the body again" };
    }
    if (error instanceof IdleError) return { code: "DEADLINE_EXCEEDED", message: error.message };
    if (isForTheUser(error)) return { code: "UNAVAILABLE", message: error.message };
    if (!upload.request.complete) return { code: "INVALID_ARGUMENT", message: "the body was cut" };
    logger.error({ err: error }, "an upload failed");
    return { code: "INTERNAL", message: "the upload failed" };
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}

function failureOf(code: UploadError["code"], failures: readonly ImportFailure[]): UploadError {
  const message = failures.map(({ reason }) => reason).join("; ");
  return { code, message, line: failures[0]?.position.line ?? 1 };
}

/** A client that neither sends nor reads. */
class IdleError extends Error {
  override readonly name = "IdleError";
}

/** The chunks of a body, each when the client has read the response so far. */
async function* bodyOf(
  { request, response }: Upload,
  { idleTimeoutMs, onBytes }: Pick<UploadOptions, "idleTimeoutMs" | "onBytes">,
): AsyncGenerator<Buffer> {
  const inTime = <Result>(work: Promise<Result>, what: string) =>
    settledWithin(idleTimeoutMs, work, () => {
      throw new IdleError(`the client ${what} for ${idleTimeoutMs / 1000} s`);
    });
  const pieces: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  for (;;) {
    await inTime(untilRead(response), "did not read the response");
    const { done, value } = await inTime(pieces.next(), "sent nothing");
    if (done === true) return;
    onBytes(value.length);
    yield value;
  }
}

/** Resolves when a response has room for more lines, or its client has disconnected. */
async function untilRead(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return;
  const ended = new AbortController();
  const { signal } = ended;
  try {
    await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  } finally {
    ended.abort();
  }
}
