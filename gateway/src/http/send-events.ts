import type { Exchange } from "./exchange.ts";
import { writeChunks } from "./write-chunks.ts";

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
