import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { badRequest } from "../errors/public-error.ts";
import { retryBlock } from "../http/event-blocks.ts";
import { addressBlockOf } from "../http/client-address.ts";
import type { ReadClientAddress } from "../http/client-address.ts";
import { queryValues } from "../http/target.ts";
import type { StreamCall, StreamHubs, StreamOperation } from "../operations/rest-operation.ts";
import { isIdentifier } from "../schemas/parameters.ts";
import type { Endpoint } from "./endpoint.ts";
import type { OpenResponses } from "./open-responses.ts";
import { pathMembersOf, pathNamesOf } from "./path-names.ts";

/** How long a client waits before it comes back, in milliseconds. */
const retryMs = 1000;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What streams are opened with. */
export interface StreamDependencies {
  openStreams: OpenResponses;
  readAddress: ReadClientAddress;
  hubs: StreamHubs;
  changes: StreamCall<z.ZodObject>["changes"];
}

/** The endpoints of streams, each of which takes a place among the open ones. */
export function streamEndpoints(
  streams: readonly StreamOperation[],
  { openStreams, readAddress, hubs, changes }: StreamDependencies,
): Endpoint[] {
  return streams.map(({ path, operationId, input, open }) => {
    const pathNames = pathNamesOf(path);
    const known = new Set(Object.keys(input.shape).filter((name) => !pathNames.includes(name)));
    return {
      method: "GET",
      operation: operationId,
      path,
      storable: false,
      takesCountry: "country" in input.shape,
      ask: ({ query, pathValues, message }) =>
        Promise.try(() => {
          const rawInput = {
            ...Object.fromEntries(queryValues(query, known)),
            ...pathMembersOf(pathNames, pathValues),
          };
          const lastEventId = lastEventIdOf(message);
          return async (ctx) => {
            const address = addressBlockOf(readAddress(message));
            const { signal, leave } = openStreams.enter({ address, socket: message.socket });
            // Also while it waits for the stream to open.
            ctx.signal.addEventListener("abort", leave, { once: true });
            try {
              const blocks = await open({ ctx, hubs, changes, rawInput, lastEventId, signal });
              return { chunks: withRetry(blocks), end: leave };
            } catch (error) {
              leave();
              throw error;
            }
          };
        }),
    };
  });
}

// Browsers send the id in UTF-8; node:http gives headers byte by byte.
function lastEventIdOf({ headers }: IncomingMessage): string | undefined {
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

async function* withRetry(blocks: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  yield retryBlock(retryMs);
  yield* blocks;
}
