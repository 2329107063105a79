import { z } from "zod";
import { zIdentifier, zRegion } from "../../schemas/parameters.ts";
import { zPriceChange } from "../../records/price-change.ts";
import { noted } from "../../upstream/call-upstream.ts";
import { stream } from "../stream.ts";

export const watchPriceChanges = stream({
  path: "/price-changes/stream",
  operationId: "watchPriceChanges",
  tag: "offers",
  summary: "Follow the changes of prices",
  description:
    "Server-Sent Events: every change of a price once, in the order of the log, within a second of being stored. The id of an event is that of the change, its data is the change as `listPriceChanges` shows it. An id without an event is a place in the log that the stream has passed. Comments between the events are signs of life, every few seconds. A client that comes back with `Last-Event-ID` misses nothing; when the gateway, or the client's address, has as many followers as it may, the answer is 503.",
  input: z.object({
    region: zRegion,
    after: zIdentifier(
      "Begin with what follows this change in the log, or the place that `next` of `listPriceChanges` named; what `Last-Event-ID` names counts more. Without either the stream begins with what is stored from now on. 404 when the log does not have it, or no longer all that follows it: begin anew.",
      "price-000000000001f-hoerpj1quw",
    ).optional(),
  }),
  failures: [404],
  event: zPriceChange,
  open: async ({ ctx, hubs, input: { region, after }, lastEventId, signal }) =>
    await noted(ctx, "pricing.WatchPriceChanges", () =>
      hubs.priceChanges.follow({ afterId: lastEventId ?? after, topic: region, signal }),
    ),
});
