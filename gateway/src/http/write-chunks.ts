import type { ServerResponse } from "node:http";

/**
 * Writes chunks of a body no faster than the client reads them, until they end or the client has left.
 *
 * @param stallTimeoutMs a client that reads nothing for so long is cut off
 */
export async function writeChunks(
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
