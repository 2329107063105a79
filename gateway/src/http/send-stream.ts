import type { ServerResponse } from "node:http";
import type { PublicError } from "../errors/public-error.ts";
import { requestedRange, statusByConditions } from "./conditions.ts";
import type { FileValidators } from "./conditions.ts";
import type { Exchange } from "./exchange.ts";
import { loggedFailureOf, send, sendFailure, sendHead } from "./send.ts";

/** A body that is made while it is sent. */
export interface BodyStream<Chunk extends string | Buffer> {
  chunks: AsyncIterable<Chunk>;
  /** Makes the chunks end and releases their source; always called, even twice. */
  end: () => void;
}

/** Server-Sent Events: blocks, each with the empty line that ends it. */
export type EventStream = BodyStream<string | Buffer>;

/** A file, or a part of it. */
export interface FileResponse extends FileValidators {
  sizeBytes: number;
  contentType: string;
  /** Others that describe the file: names and values in turn. */
  headers: readonly string[];
  /**
   * Begins to read bytes from `start` up to and including `end`.
   *
   * @throws TRPCError when the file cannot be read now
   */
  read: (start: number, end: number) => BodyStream<Buffer>;
}

/** A client that is slower for the whole of its file is cut off, because a file that is read takes up the disk. */
export const slowestBytesPerSecond = 64 * 1024;

const preconditionFailed: PublicError = {
  status: 412,
  error: "PRECONDITION_FAILED",
  message: "The file is not the one that If-Match or If-Unmodified-Since asks for.",
};

/** Sends a stream of events until it ends or the client leaves. */
export async function sendEvents(
  exchange: Exchange,
  events: EventStream,
  headers: readonly string[],
  stallTimeoutMs: number,
): Promise<void> {
  const { response } = exchange;
  exchange.extraTimeMs = Infinity;
  // Nothing follows a stream, and a gateway that closes need not wait for the connection.
  response.shouldKeepAlive = false;
  // Proxies must pass every event on at once.
  const own = ["Content-Type", "text/event-stream; charset=utf-8", "X-Accel-Buffering", "no"];
  try {
    await sendStream(exchange, 200, [...headers, ...own], events, stallTimeoutMs);
  } catch (error) {
    exchange.failure = loggedFailureOf(error);
  }
  // Also after a failure: the client then reconnects.
  response.end();
}

/**
 * Sends a file (200), the part of it that the client requests (206, 416), or that its conditions decide otherwise
 * (304, 412).
 *
 * @throws errors of `read`
 */
export async function sendFile(
  exchange: Exchange,
  file: FileResponse,
  headers: readonly string[],
  stallTimeoutMs: number,
): Promise<void> {
  const { request, response } = exchange;
  const { entityTag, lastModified, sizeBytes } = file;
  const status = statusByConditions(request.headers, file);
  if (status === 412) {
    sendFailure(exchange, preconditionFailed, headers);
    return;
  }
  const own = [...headers, ...file.headers];
  own.push("ETag", entityTag, "Last-Modified", lastModified, "Accept-Ranges", "bytes");
  if (status === 304) {
    send(exchange, 304, own);
    return;
  }
  const isHead = request.method === "HEAD";
  const range = isHead ? undefined : requestedRange(request.headers, sizeBytes, file);
  if (range === "unsatisfiable") {
    const message = `Range must begin within the ${sizeBytes} bytes of the file.`;
    sendFailure(exchange, { status: 416, error: "INVALID_ARGUMENT", message }, [
      ...headers,
      "Content-Range",
      `bytes */${sizeBytes}`,
    ]);
    return;
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  const length = end + 1 - start;
  own.push("Content-Type", file.contentType, "Content-Length", String(length));
  if (range !== undefined) own.push("Content-Range", `bytes ${start}-${end}/${sizeBytes}`);
  if (isHead) {
    send(exchange, 200, own);
    return;
  }
  const body = file.read(start, end);
  exchange.extraTimeMs = (length / slowestBytesPerSecond) * 1000;
  try {
    await sendStream(exchange, range === undefined ? 200 : 206, own, body, stallTimeoutMs);
    response.end();
  } catch (error) {
    exchange.failure = loggedFailureOf(error);
    // Shows that the file is incomplete.
    response.destroy();
  }
}

/**
 * Sends a head and chunks, no faster than the client reads them, until they end or the client has left.
 *
 * @param stallTimeoutMs a client that reads nothing for so long is cut off
 */
async function sendStream(
  exchange: Exchange,
  status: number,
  headers: string[],
  { chunks, end }: BodyStream<string | Buffer>,
  stallTimeoutMs: number,
): Promise<void> {
  const { request, response } = exchange;
  response.once("close", end);
  try {
    // Of the connection: the chunks may pause.
    response.setTimeout(0);
    sendHead(exchange, status, headers);
    if (request.method === "HEAD") return;
    for await (const chunk of chunks) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response, stallTimeoutMs);
    }
  } finally {
    end();
  }
}

/** Resolves when the client has read what was written, or has left. */
async function drained(response: ServerResponse, stallTimeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const stalled = setTimeout(() => response.destroy(), stallTimeoutMs);
    const done = () => {
      clearTimeout(stalled);
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
