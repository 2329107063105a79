import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { QueryEventType } from "@storefront/contracts/search/v1/search_service";
import type {
  QueryEvent,
  WatchQueryEventsResponse,
} from "@storefront/contracts/search/v1/search_service";
import { readStream } from "@storefront/rpc";
import { z } from "zod";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import { eventBlock, heartbeat, idBlock } from "../../http/event-blocks.ts";
import { zObject, zString } from "../../records/members.ts";
import { zCountry, zIdentifier, zQueryId } from "../../schemas/parameters.ts";
import { requireMember } from "../../upstream/upstream-error.ts";
import { callOptionsOf, noted } from "../../upstream/call-upstream.ts";
import { stream } from "../rest-operation.ts";
import type { StreamDefinition } from "../rest-operation.ts";
import { replacedByQueries } from "./saved-queries.ts";

const zQueryEvent = zObject("QueryEvent", "An offer that entered or left a saved query.", {
  id: zString("Id of the event.", "1f-18ks0a7e2c1"),
  type: z
    .enum(["entered", "left"])
    .meta({ description: "Whether the query finds it now, or no longer.", example: "entered" }),
  offerId: zString("The offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
  date: z.string().meta({
    description: "When it was seen.",
    format: "date-time",
    example: "2026-03-16T16:00:02.000Z",
  }),
});

const name = "search.WatchQueryEvents";

const zWatchQueryInput = z.object({
  id: zQueryId,
  country: zCountry,
  after: zIdentifier(
    "Begin with what follows this event; what `Last-Event-ID` names counts more.",
    "1f-18ks0a7e2c1",
  ).optional(),
});

const watching: Omit<StreamDefinition<typeof zWatchQueryInput>, "path" | "operationId"> = {
  tag: "search",
  summary: "Follow a saved query",
  description:
    "Server-Sent Events: each offer that enters or leaves the result of a saved query in the region of a country, once, in order, some seconds after the write. A new stream begins with the id of its position; resume with `Last-Event-ID` or `after`. Comments are sent as a heartbeat. 404 for an unknown query, and when the events after the id are no longer stored: restart without it. 503 when the maximum number of queries or streams is followed.",
  input: zWatchQueryInput,
  failures: [404, 503],
  event: zQueryEvent,
  open: async ({ ctx, input, lastEventId, signal }) => {
    const request = {
      queryId: input.id,
      region: resolveAnyCountry(ctx, input.country).region,
      afterEventId: lastEventId ?? input.after ?? "",
    };
    const { headers = {}, timeoutMs: openTimeoutMs } = callOptionsOf([ctx], ctx.signal);
    const messages = readStream({
      open: (call) => ctx.clients.searchStreams.watchQueryEvents(request, { ...call, headers }),
      openTimeoutMs,
      signal,
    });
    // The first message fails if the stream is refused.
    const first = await noted(ctx, name, async () =>
      requireMember((await messages.next()).value, name),
    );
    return blocksOf(first, messages);
  },
};

export const followQuery = stream({
  ...watching,
  path: "/queries/{id}/stream",
  operationId: "followQuery",
});

export const watchQuery = stream({
  ...watching,
  path: "/search/{id}/stream",
  operationId: "watchQuery",
  deprecated: replacedByQueries,
});

/** Ends with the service's stream: the client resumes with the id of its last event. */
async function* blocksOf(
  first: WatchQueryEventsResponse,
  messages: AsyncIterable<WatchQueryEventsResponse>,
): AsyncGenerator<string | Buffer> {
  const { startedAfterEventId } = first;
  yield startedAfterEventId === "" ? heartbeat : idBlock(startedAfterEventId) + heartbeat;
  yield* first.events.map(blockOf);
  try {
    for await (const { events } of messages) {
      if (events.length === 0) yield heartbeat;
      else yield* events.map(blockOf);
    }
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
  }
}

function blockOf({ id, offerId, type, time }: QueryEvent): Buffer {
  const event: z.output<typeof zQueryEvent> = {
    id,
    type: type === QueryEventType.ENTERED ? "entered" : "left",
    offerId,
    date: timestampDate(requireMember(time, name)).toISOString(),
  };
  return eventBlock(id, event);
}
