import { z } from "zod";
import { zChangelogEntry } from "../../../records/changelog-entry.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";
import { noted } from "../../../upstream/call-upstream.ts";
import { stream } from "../../stream.ts";

export const watchEntries = stream({
  path: "/changelist/stream",
  operationId: "watchEntries",
  tag: "changelog",
  summary: "Follow the changes",
  description:
    "Server-Sent Events: every change once, in the order of the log, within a second of being stored. The id of an event is that of the change, its data is the change as the changelist shows it. A stream that begins with now begins with an id and no event: that of the last change before it. Comments between the events are signs of life, every few seconds. A client that comes back with `Last-Event-ID` misses nothing; when the gateway, or the client's address, has as many followers as it may, the answer is 503.",
  input: z.object({
    after: zIdentifier(
      "Begin with the change that follows this one in the log; what `Last-Event-ID` names counts more. Without either the stream begins with what is stored from now on. 404 when that change, or one before it, was undone since: begin anew.",
      "catalog-000000000001f",
    ).optional(),
  }),
  failures: [404],
  event: zChangelogEntry,
  open: async ({ ctx, hubs, input, lastEventId, signal }) =>
    await noted(ctx, "changelog.WatchEntries", () =>
      hubs.changelog.follow({ afterId: lastEventId ?? input.after, signal }),
    ),
});
