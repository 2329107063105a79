import type { ServerResponse } from "node:http";
import type { PublicError } from "../errors/public-error.ts";
import { requestedRange, statusByConditions } from "./conditions.ts";
import type { FileValidators } from "./conditions.ts";
import type { Exchange } from "./exchange.ts";
import { send, sendFailure } from "./send.ts";

/** A response that goes on: a stream of Server-Sent Events. */
export interface EventStream {
  status: 200;
  /** Blocks of the stream as they are sent, each with the empty line that ends it. */
  blocks: AsyncIterable<string | Buffer>;
  /** Makes the blocks end and lets go of what they come from; always called, even twice. */
  end: () => void;
}

/**
 * Sends a stream of events, no faster than the client takes them, until they or the client end.
 *
 * @param stallTimeoutMs a client that takes nothing for so long is cut off
 */
export async function sendEvents(
  exchange: Exchange,
  { status, blocks, end }: EventStream,
  headers: readonly string[],
  stallTimeoutMs: number,
): Promise<void> {
  const { request, response } = exchange;
  exchange.extraTimeMs = Infinity;
  response.once("close", end);
  try {
    // Nothing comes after a stream, and a gateway that closes need not wait for the connection.
    response.shouldKeepAlive = false;
    // A stream may be silent; who takes nothing is found by what is written.
    response.setTimeout(0);
    // Proxies must pass every event on at once.
    const own = ["Content-Type", "text/event-stream; charset=utf-8", "X-Accel-Buffering", "no"];
    if (!response.destroyed) response.writeHead(status, [...headers, ...own]);
    if (request.method === "HEAD") return;
    await writeChunks(response, blocks, stallTimeoutMs);
  } catch (error) {
    // The status is sent: all that is left is to end, so that the client comes back.
    exchange.failure = error;
  } finally {
    end();
    response.end();
  }
}

/** A response that is a file, or a part of it. */
export interface FileResponse extends FileValidators {
  sizeBytes: number;
  contentType: string;
  /** Others that describe the file: names and values in turn. */
  headers: readonly string[];
  /**
   * Begins to read bytes from `start` up to and including `end`.
   *
   * @throws what the client is sent instead
   */
  read: (start: number, end: number) => FileRead;
}

/** Bytes of a file that are being read. */
export interface FileRead {
  chunks: AsyncIterable<Buffer>;
  /** Ends the reading; always called, even twice. */
  end: () => void;
}

/** A client that is slower for as long as its file lasts is cut off, because a file that is read takes up the disk. */
export const slowestBytesPerSecond = 64 * 1024;

const otherFile: PublicError = {
  status: 412,
  error: "PRECONDITION_FAILED",
  message: "The file is not the one that If-Match or If-Unmodified-Since asks for.",
};

/**
 * Sends a file, the part that is asked for (206, 416), or that the client has it (304) or has another one (412), no
 * faster than the client reads it.
 *
 * @param stallTimeoutMs a client that reads nothing for so long is cut off
 * @throws what `read` throws
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
    sendFailure(exchange, otherFile, [...headers]);
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
    const failure = { status: 416, error: "INVALID_ARGUMENT", message };
    sendFailure(exchange, failure, [...headers, "Content-Range", `bytes */${sizeBytes}`]);
    return;
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  own.push("Content-Type", file.contentType, "Content-Length", String(end + 1 - start));
  if (range !== undefined) own.push("Content-Range", `bytes ${start}-${end}/${sizeBytes}`);
  if (isHead) {
    send(exchange, 200, own);
    return;
  }
  const reading = file.read(start, end);
  response.once("close", reading.end);
  exchange.extraTimeMs = ((end + 1 - start) / slowestBytesPerSecond) * 1000;
  response.setTimeout(0);
  response.writeHead(range === undefined ? 200 : 206, own);
  try {
    await writeChunks(response, reading.chunks, stallTimeoutMs);
    response.end();
  } catch (error) {
    // The status is sent: the end of the connection says that not all was sent.
    exchange.failure = error;
    response.destroy();
  }
}

/**
 * Writes chunks of a body no faster than the client reads them, until they end or the client has left.
 *
 * @param stallTimeoutMs a client that reads nothing for so long is cut off
 */
async function writeChunks(
  response: ServerResponse,
  chunks: AsyncIterable<string | Buffer>,
  stallTimeoutMs: number,
): Promise<void> {
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response, stallTimeoutMs);
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
