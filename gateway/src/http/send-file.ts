import { requestedRange } from "./byte-range.ts";
import type { FileValidators } from "./byte-range.ts";
import { isNoneMatch } from "./entity-tag.ts";
import type { Exchange } from "./exchange.ts";
import { jsonType } from "./headers.ts";
import { taken } from "./taken.ts";

/** A response that is a file, or a part of it. */
export interface FileAnswer extends FileValidators {
  sizeBytes: number;
  contentType: string;
  /** Others that tell of the file: names and values in turn. */
  headers: readonly string[];
  /** Its bytes from `start` to before `end`. */
  read: (start: number, end: number) => AsyncIterable<Buffer>;
}

/**
 * Sends a file, the part that is asked for (206, 416), or that the client has it already (304), no faster than
 * the client takes it. It may take as long as it likes, since what is broken off goes on by its range.
 *
 * @param stallTimeoutMs a client that takes nothing for so long is cut off
 */
export async function sendFile(
  exchange: Exchange,
  file: FileAnswer,
  headers: readonly string[],
  stallTimeoutMs: number,
): Promise<void> {
  const { request, response } = exchange;
  const { entityTag, lastModified, sizeBytes } = file;
  const own = [...headers, ...file.headers];
  own.push("ETag", entityTag, "Last-Modified", lastModified, "Accept-Ranges", "bytes");
  if (isNoneMatch(request.headers["if-none-match"], entityTag)) {
    response.writeHead(304, own).end();
    return;
  }
  const isHead = request.method === "HEAD";
  const range = isHead ? undefined : requestedRange(request.headers, sizeBytes, file);
  if (range === "unsatisfiable") {
    const message = `Range must begin within the ${sizeBytes} bytes of the file.`;
    const body = JSON.stringify({ message, error: "INVALID_ARGUMENT" });
    const ofBody = ["Content-Type", jsonType, "Content-Length", String(Buffer.byteLength(body))];
    response.writeHead(416, [...headers, ...ofBody, "Content-Range", `bytes */${sizeBytes}`]);
    response.end(body);
    return;
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes };
  own.push("Content-Type", file.contentType, "Content-Length", String(end - start));
  if (range !== undefined) own.push("Content-Range", `bytes ${start}-${end - 1}/${sizeBytes}`);
  exchange.isEndless = true;
  response.setTimeout(0);
  response.writeHead(range === undefined ? 200 : 206, own);
  if (isHead) {
    response.end();
    return;
  }
  try {
    for await (const chunk of file.read(start, end)) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await taken(response, stallTimeoutMs);
    }
    response.end();
  } catch (error) {
    // The status is sent: a client is told by the end of the connection that it has not got all.
    exchange.failure = error;
    response.destroy();
  }
}
