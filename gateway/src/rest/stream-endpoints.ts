import type { IncomingMessage } from "node:http";
import { badRequest } from "../errors/public-error.ts";
import { retryBlock } from "../http/event-blocks.ts";
import type { EventStream } from "../http/send-stream.ts";
import type { StreamHubs, StreamOperation } from "../operations/rest-operation.ts";
import { isIdentifier } from "../schemas/parameters.ts";
import type { CatalogueChanges } from "../snapshot/changes.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { Endpoint, EndpointRequest } from "./endpoint.ts";
import type { OpenResponses } from "./open-responses.ts";
import { createInputReader } from "./read-input.ts";

/** How long a client waits before it reconnects, in milliseconds. */
const retryMs = 1000;

const utf8 = new TextDecoder("utf-8", { fatal: true });

export interface StreamDependencies {
  openStreams: OpenResponses;
  hubs: StreamHubs;
  changes: CatalogueChanges;
}

/** The endpoints of streams, each of which counts among the open ones. */
export function streamEndpoints(
  streams: readonly StreamOperation[],
  dependencies: StreamDependencies,
): Endpoint[] {
  return streams.map((operation): Endpoint => {
    const { path, operationId, input, deprecated } = operation;
    const readInput = createInputReader(input, path);
    return {
      method: "GET",
      operation: operationId,
      path,
      deprecated,
      takesCountry: "country" in input.shape,
      ask(request) {
        const rawInput = readInput(request);
        const lastEventId = lastEventIdOf(request.message);
        const asked = { operation, rawInput, lastEventId };
        return { respond: (ctx) => openStream(request, ctx, asked, dependencies) };
      },
    };
  });
}

/** A stream, and where in it a client begins. */
export interface AskedStream {
  operation: StreamOperation;
  rawInput: unknown;
  lastEventId: string | undefined;
}

/**
 * Opens a stream of events, which counts among the open ones until it ends.
 *
 * @throws the failure to respond with
 */
export async function openStream(
  request: EndpointRequest,
  ctx: RequestContext,
  { operation, rawInput, lastEventId }: AskedStream,
  { openStreams, hubs, changes }: StreamDependencies,
): Promise<EventStream> {
  const { signal, end } = openStreams.open(request);
  // Also while it waits for the stream to open.
  ctx.signal.addEventListener("abort", end, { once: true });
  try {
    const blocks = await operation.open({ ctx, hubs, changes, rawInput, lastEventId, signal });
    return { chunks: after(retryBlock(retryMs), blocks), end };
  } catch (error) {
    end();
    throw error;
  }
}

/** What the Last-Event-ID header names. Browsers send it in UTF-8; node:http gives headers byte by byte. */
export function lastEventIdOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers["last-event-id"];
  if (typeof sent !== "string" || sent === "") return undefined;
  try {
    const id = utf8.decode(Buffer.from(sent, "latin1"));
    if (isIdentifier(id)) return id;
  } catch {
    // Malformed like any other.
  }
  throw badRequest("The Last-Event-ID header must be the id of a change in UTF-8.");
}

/** Blocks behind a first one. */
export async function* after(
  first: string,
  blocks: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  yield first;
  yield* blocks;
}
