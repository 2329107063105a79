import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { enrichmentBudgetMs, withContexts } from "../../../compose/enrich-entries.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";
import { stream } from "../../stream.ts";
import type { StreamEvent } from "../../stream.ts";
import { followEntries } from "./follow-entries.ts";
import { zWatchEntriesEvent, zWatchEntriesInput } from "./watch-entries.schema.ts";

export const watchEntries = stream({
  path: "/changelist/stream",
  operationId: "watchEntries",
  tag: "changelog",
  summary: "Follow the changes",
  description:
    "Server-Sent Events: every change once, in the order of the log, as soon as it is stored. The id of an event is that of the change, its data is the change as the changelist shows it. Comments between them are signs of life, every few seconds. A client that comes back with `Last-Event-ID` misses nothing; when the gateway has as many followers as it takes, the answer is 503.",
  input: zWatchEntriesInput,
  event: zWatchEntriesEvent,
  open: async ({ ctx, input, lastEventId, signal }) => {
    const { changelogStreams } = ctx.clients;
    return await callUpstream(ctx, "changelog.WatchEntries", async ({ headers, timeoutMs }) => {
      const batches = followEntries({
        watch: (request, options) => changelogStreams.watchEntries(request, options),
        afterEntryId: lastEventId ?? input.after ?? "",
        headers: headers ?? {},
        openTimeoutMs: timeoutMs ?? 0,
        signal,
      });
      const first = await batches.next();
      return eventsOf(ctx, first.done === true ? [] : first.value, batches);
    });
  },
});

async function* eventsOf(
  ctx: RequestContext,
  first: Entry[],
  others: AsyncIterable<Entry[]>,
): AsyncGenerator<StreamEvent[]> {
  yield await batchOf(ctx, first);
  for await (const entries of others) yield await batchOf(ctx, entries);
}

// A stream outlives the time and the notes of its request: each batch has its own.
async function batchOf(ctx: RequestContext, entries: Entry[]): Promise<StreamEvent[]> {
  const deadlineAt = performance.now() + enrichmentBudgetMs;
  const batch = { ...ctx, deadlineAt, upstreamCalls: [], degraded: new Set<string>() };
  const enriched = await withContexts(batch, entries);
  return enriched.map(({ _id: id, ...members }) => ({ id, data: { _id: id, ...members } }));
}
