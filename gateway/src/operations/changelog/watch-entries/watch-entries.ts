import { noted } from "../../../upstream/call-upstream.ts";
import { stream } from "../../stream.ts";
import { zWatchEntriesEvent, zWatchEntriesInput } from "./watch-entries.schema.ts";

export const watchEntries = stream({
  path: "/changelist/stream",
  operationId: "watchEntries",
  tag: "changelog",
  summary: "Follow the changes",
  description:
    "Server-Sent Events: every change once, in the order of the log, within a second of being stored. The id of an event is that of the change, its data is the change as the changelist shows it. A stream that begins with now begins with an id and no event: that of the last change before it. Comments between the events are signs of life, every few seconds. A client that comes back with `Last-Event-ID` misses nothing; when the gateway, or the client's address, has as many followers as it may, the answer is 503.",
  input: zWatchEntriesInput,
  event: zWatchEntriesEvent,
  open: async ({ ctx, hub, input, lastEventId, signal }) =>
    await noted(ctx, "changelog.WatchEntries", () =>
      hub.follow({ afterEntryId: lastEventId ?? input.after, signal }),
    ),
});
