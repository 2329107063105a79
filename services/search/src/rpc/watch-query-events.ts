import { Code } from "@connectrpc/connect";
import type { LogPosition } from "@storefront/change-feed";
import { WatchQueryEventsResponseSchema } from "@storefront/contracts/search/v1/search_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { encodedOf, ServiceError } from "@storefront/rpc";
import { eventId, placeOfEvent } from "../store/query-event-store.ts";
import type { QueryEventStore } from "../store/query-event-store.ts";
import type { QueryEventTails } from "../watching/query-event-tails.ts";
import type { QueryWatches } from "../watching/query-watches.ts";
import type { SearchHandlers } from "./handlers.ts";

/** Between notes that a watch is still asked for, in milliseconds. */
const noteEveryMs = 3_600_000;

export function watchQueryEvents(deps: {
  watches: QueryWatches;
  events: QueryEventStore;
  tails: QueryEventTails;
}): SearchHandlers["watchQueryEvents"] {
  return async function* watch({ queryId, region, afterEventId }, { signal }) {
    const { number } = await deps.watches.follow(queryId, region);
    const isNew = afterEventId === "";
    const after = isNew
      ? await deps.events.newest(number)
      : await placeAfter(deps.events, number, afterEventId);
    let startedAfterEventId = isNew ? eventId(after) : "";
    let notedAtMs = performance.now();
    for await (const { entries } of deps.tails.watch(number, after, signal)) {
      yield encodedOf(WatchQueryEventsResponseSchema, { events: entries, startedAfterEventId });
      startedAfterEventId = "";
      if (performance.now() - notedAtMs < noteEveryMs) continue;
      await deps.watches.follow(queryId, region);
      notedAtMs = performance.now();
    }
  };
}

/** @throws ServiceError FAILED_PRECONDITION, QUERY_EVENT_GONE, where not all is kept that follows the event. */
async function placeAfter(
  events: QueryEventStore,
  watch: bigint,
  id: string,
): Promise<LogPosition> {
  const place = placeOfEvent(id);
  if (place !== undefined) {
    const { at, start } = await events.read(watch, place.sequence);
    if (at.identity === place.identity && place.sequence >= start) return place;
  }
  throw new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.QUERY_EVENT_GONE,
    message: "what follows this event is not kept: begin anew without it",
    metadata: { eventId: id },
  });
}
