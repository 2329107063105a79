import { getTRPCErrorShape, TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { badRequest } from "../errors/public-error.ts";
import { queryValues } from "../http/target.ts";
import { trpc } from "../operations/operation.ts";
import type { StreamOperation } from "../operations/rest-operation.ts";
import type { Endpoint } from "./endpoint.ts";
import { after, lastEventIdOf, openStream } from "./stream-endpoints.ts";
import type { AskedStream, StreamDependencies } from "./stream-endpoints.ts";
import { isIdentifier } from "../schemas/parameters.ts";

/** What tRPC's client waits for; an empty object leaves its options at their defaults. */
const connected = "event: connected\ndata: {}\n\n";

/**
 * The endpoints of tRPC's subscriptions: the streams of the REST surface, with the same events and limits, in the form of
 * tRPC's `httpSubscriptionLink`. It takes failures as events, because a browser does not show it the status.
 *
 * @param subscriptions by the path of the procedure, such as `changelog.watchEntries`
 */
export function subscriptionEndpoints(
  subscriptions: Readonly<Record<string, StreamOperation>>,
  dependencies: StreamDependencies,
): Endpoint[] {
  return Object.entries(subscriptions).map(([path, operation]) => ({
    method: "GET",
    operation: operation.operationId,
    path: `/trpc/${path}`,
    takesCountry: "country" in operation.input.shape,
    ask: (request) => ({
      async respond(ctx) {
        try {
          const { rawInput, lastEventId } = inputOf(request.query);
          const asked: AskedStream = {
            operation,
            rawInput,
            // The browser's own reconnection has the newer one.
            lastEventId: lastEventIdOf(request.message) ?? lastEventId,
          };
          const { chunks, end } = await openStream(request, ctx, asked, dependencies);
          return { chunks: after(connected, chunks), end };
        } catch (error) {
          const failure =
            error instanceof ZodError
              ? new TRPCError({ code: "BAD_REQUEST", cause: error })
              : error;
          // Others are defects, which are logged.
          if (!(failure instanceof TRPCError)) throw failure;
          return { chunks: failureBlocks(failure, path), end: () => undefined };
        }
      },
    }),
  }));
}

/** The input as tRPC's client sends it, with the id of the last event that it received. */
function inputOf(query: string): Pick<AskedStream, "rawInput" | "lastEventId"> {
  const [text = "{}"] = queryValues(query, new Map([["input", false]])).get("input") ?? [];
  const rawInput = parseJson(text);
  const { lastEventId }: { lastEventId?: unknown } = Object(rawInput);
  if (lastEventId === undefined) return { rawInput, lastEventId };
  if (typeof lastEventId === "string" && isIdentifier(lastEventId)) {
    return { rawInput, lastEventId };
  }
  throw badRequest("lastEventId must be the id of an event.");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The input must be well-formed JSON.");
  }
}

/** A failure as tRPC's own adapter sends it once a stream has begun. */
async function* failureBlocks(error: TRPCError, path: string): AsyncGenerator<string> {
  const shape = getTRPCErrorShape({
    // oxlint-disable-next-line no-underscore-dangle -- where tRPC has the form of errors
    config: trpc._config,
    error,
    type: "subscription",
    path,
    input: undefined,
    ctx: undefined,
  });
  yield `${connected}event: serialized-error\ndata: ${JSON.stringify(shape)}\n\n`;
}
