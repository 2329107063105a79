import type { PublicError } from "../errors/public-error.ts";
import { requestedRange, statusByConditions } from "./conditions.ts";
import type { FileValidators } from "./conditions.ts";
import type { Exchange } from "./exchange.ts";
import { send, sendFailure } from "./send.ts";
import { writeChunks } from "./write-chunks.ts";

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
