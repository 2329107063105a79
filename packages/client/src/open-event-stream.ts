import { TRPCClientError } from "@trpc/client";
import type { CatalogFetch, CatalogResponse } from "./catalog-fetch.ts";
import type { CatalogRouter } from "./catalog-router.ts";
import { readEvents } from "./read-events.ts";
import type { EventBlock } from "./read-events.ts";

/** How a stream is asked for. */
export interface EventStreamRequest {
  fetch: CatalogFetch;
  headers: Record<string, string>;
  /** How long the answer may take to begin. */
  openTimeoutMs: number;
  /** How long the stream may say nothing. */
  silenceLimitMs: number;
  signal: AbortSignal | undefined;
  onOpen: (() => void) | undefined;
}

/** The blocks of a stream of Server-Sent Events until it ends. Leaving them closes it; what fails is thrown. */
export async function* openEventStream(
  url: string,
  request: EventStreamRequest,
): AsyncGenerator<EventBlock> {
  const { fetch, headers, openTimeoutMs, silenceLimitMs, signal, onOpen } = request;
  const silence = new AbortController();
  const expectWithin = (ms: number) =>
    setTimeout(() => silence.abort(new DOMException("The stream is silent.", "TimeoutError")), ms);
  const opening = expectWithin(openTimeoutMs);
  try {
    const response = await fetch(url, {
      headers: { Accept: "text/event-stream", ...headers },
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    });
    clearTimeout(opening);
    const { body } = response;
    if (!isEventStream(response) || !body) throw await refusalOf(response);
    onOpen?.();
    yield* readEvents(chunksOf(body, () => expectWithin(silenceLimitMs)));
  } finally {
    clearTimeout(opening);
    silence.abort();
  }
}

function isEventStream({ ok, headers }: CatalogResponse): boolean {
  return ok && headers.get("content-type")?.startsWith("text/event-stream") === true;
}

// An answer that is not the gateway's has no JSON, which CatalogError makes UNREACHABLE.
async function refusalOf(response: CatalogResponse): Promise<TRPCClientError<CatalogRouter>> {
  const responseJSON = await response.json().catch(() => undefined);
  return new TRPCClientError("The stream was refused.", { meta: { response, responseJSON } });
}

// Streams of the web are no iterables in every browser. Only a read is watched: who takes the chunks may
// be slow.
async function* chunksOf(
  body: NonNullable<CatalogResponse["body"]>,
  watchRead: () => ReturnType<typeof setTimeout>,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const timer = watchRead();
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done || value === undefined) return;
    yield value;
  }
}
