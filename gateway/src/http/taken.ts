import type { ServerResponse } from "node:http";

/**
 * Resolves when the client has taken what was written, or is gone.
 *
 * @param stallTimeoutMs a client that takes nothing for so long is cut off
 */
export async function taken(response: ServerResponse, stallTimeoutMs: number): Promise<void> {
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
