import type { IncomingMessage } from "node:http";

/** Most that is read of a body that nobody wants, in bytes. */
const maxDiscardedBytes = 16 * 1024 * 1024;

/**
 * Reads and drops what is left of the body of a request that has its answer. Closing the connection
 * instead could reset it before the caller has read the answer; leaving it would keep the
 * connection's next request waiting for ever. A caller that goes on sending is cut off.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let sizeBytes = 0;
  request.removeAllListeners("readable");
  request.removeAllListeners("data");
  request.on("data", (piece: Buffer) => {
    sizeBytes += piece.length;
    if (sizeBytes > maxDiscardedBytes) request.destroy();
  });
  request.resume();
}
