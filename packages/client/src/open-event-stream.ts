import { TRPCClientError } from "@trpc/client";
import type { CatalogFetch, CatalogResponse } from "./catalog-fetch.ts";
import type { CatalogRouter } from "./catalog-router.ts";

/** Request of a stream. */
export interface EventStreamRequest {
  fetch: CatalogFetch;
  headers: Record<string, string>;
  /** Longest wait for the response. */
  openTimeoutMs: number;
  /** Longest silence of the stream. */
  silenceLimitMs: number;
  signal: AbortSignal | undefined;
  onOpen: (() => void) | undefined;
}

/** The blocks of a stream of Server-Sent Events until it ends. Leaving the loop closes it; failures are thrown. */
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

// A response that is not the gateway's has no JSON, which CatalogError makes UNREACHABLE.
async function refusalOf(response: CatalogResponse): Promise<TRPCClientError<CatalogRouter>> {
  const responseJSON = await response.json().catch(() => undefined);
  return new TRPCClientError("The stream was refused.", { meta: { response, responseJSON } });
}

// Web streams are not iterable in every browser. Only a read has a timeout: the consumer of the chunks may
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

/** A block of a stream of Server-Sent Events: any of its members may be missing, in a heartbeat all. */
export interface EventBlock {
  /** Position to resume after it. */
  id?: string;
  data?: string;
  /** Delay before a reconnect, in milliseconds. */
  retryMs?: number;
}

/**
 * The blocks of a stream as they arrive (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * An id without data counts here, which `EventSource` does not report. Lines end with LF or CRLF, never with
 * CR alone. Our own, because eventsource-parser requires a later Node than this package.
 */
async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EventBlock> {
  const decoder = new TextDecoder();
  let rest = "";
  let lines: string[] = [];
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = part.endsWith("\r") ? part.slice(0, -1) : part;
      if (line !== "") {
        lines.push(line);
        continue;
      }
      yield blockOf(lines);
      lines = [];
    }
  }
}

function blockOf(lines: readonly string[]): EventBlock {
  const fields = lines.map((line): [name: string, value: string] => {
    const colon = line.indexOf(":");
    if (colon === -1) return [line, ""];
    const value = line.slice(colon + 1);
    return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value];
  });
  const last = (name: string) => fields.findLast(([field]) => field === name)?.[1];
  const data = fields.flatMap(([field, value]) => (field === "data" ? [value] : []));
  const [id, retry] = [last("id"), last("retry")];
  return {
    ...(id !== undefined && { id }),
    ...(data.length > 0 && { data: data.join("\n") }),
    ...(retry !== undefined && /^\d+$/.test(retry) && { retryMs: Number(retry) }),
  };
}
