import { catalogErrorOf } from "./catalog-error.ts";
import type { CatalogError } from "./catalog-error.ts";
import { addressOf, headersOf } from "./catalog-client-options.ts";
import type { CatalogClientOptions } from "./catalog-client-options.ts";
import { openEventStream } from "./open-event-stream.ts";

/** Options to follow a stream. */
export interface FollowStreamOptions extends Pick<
  CatalogClientOptions,
  "url" | "headers" | "fetch" | "timeoutMs"
> {
  /** Begins with the change after that of this id; default: with changes from now on. */
  after?: string | undefined;
  /** Ends the changes. */
  signal?: AbortSignal | undefined;
  /** Called when the stream is open, the first time and after every break. */
  onOpen?: (() => void) | undefined;
  /** Called at every break; the client reconnects. */
  onBreak?: ((error: CatalogError) => void) | undefined;
}

// A stream that is silent for so long is broken: heartbeats come every few seconds.
const silenceLimitMs = 30_000;
const firstWaitMs = 1000;
const maxWaitMs = 30_000;

// Errors that a retry does not change.
const lasting = new Set(["INVALID_ARGUMENT", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CANCELED"]);

/**
 * The changes of a stream of the gateway, each once, in the order of the log. After a break the client
 * reconnects and resumes after the last change: it waits a second, twice as long after every further failed
 * attempt, at most 30 s, randomly up to a half less, and never shorter than `Retry-After`. Ends when the
 * signal is aborted.
 *
 * @param path of the stream, with its query
 * @throws CatalogError when a retry would not help
 */
export async function* followStream<Change>(
  path: string,
  options: FollowStreamOptions,
): AsyncGenerator<Change, void, undefined> {
  const { fetch = globalThis.fetch, timeoutMs = 10_000, signal, onOpen, onBreak } = options;
  let lastEventId = options.after;
  let retryMs = firstWaitMs;
  let failures = 0;
  const isCanceled = () => signal?.aborted === true;
  while (!isCanceled()) {
    let failure: CatalogError | undefined;
    try {
      const blocks = openEventStream(addressOf(options.url) + path, {
        fetch,
        headers: { ...(await headersOf(options.headers)), ...resumeHeader(lastEventId) },
        openTimeoutMs: timeoutMs,
        silenceLimitMs,
        signal,
        onOpen,
      });
      for await (const block of blocks) {
        failures = 0;
        retryMs = block.retryMs ?? retryMs;
        lastEventId = block.id ?? lastEventId;
        if (block.data !== undefined) yield JSON.parse(block.data) as Change;
      }
      failure = catalogErrorOf(new Error("The stream has ended."));
    } catch (error) {
      failure = catalogErrorOf(error);
    }
    if (isCanceled()) return;
    if (lasting.has(failure.code)) throw failure;
    onBreak?.(failure);
    const mostMs = Math.min(maxWaitMs, retryMs * 2 ** failures);
    const leastMs = Math.max(mostMs / 2, (failure.retryAfter ?? 0) * 1000);
    await waitFor(leastMs + Math.random() * (mostMs / 2), signal);
    failures += 1;
  }
}

// Headers consist of bytes; the gateway reads them as UTF-8.
function resumeHeader(lastEventId: string | undefined): Record<string, string> {
  if (lastEventId === undefined || lastEventId === "") return {};
  return { "Last-Event-ID": String.fromCharCode(...new TextEncoder().encode(lastEventId)) };
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}
