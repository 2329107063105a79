/** A block of a stream of Server-Sent Events that is no event, to show that the stream is alive. */
export const heartbeat = ":\n\n";

/** How long a client waits before it comes back, in milliseconds. */
export function retryBlock(retryMs: number): string {
  return `retry: ${retryMs}\n\n`;
}

/**
 * Moves a client to an id without an event: it names it when it comes back.
 *
 * @param id without line breaks and NUL
 */
export function idBlock(id: string): string {
  return `id: ${id}\n\n`;
}

/** An event with JSON; `id` as above. */
export function eventBlock(id: string, data: unknown): Buffer {
  return Buffer.from(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The same with text of one line. */
export function textEventBlock(id: string, text: string): string {
  return `id: ${id}\ndata: ${text}\n\n`;
}
