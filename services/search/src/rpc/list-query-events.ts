import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ListQueryEventsRequestSchema } from "@storefront/contracts/search/v1/search_service";
import { pageOf } from "@storefront/rpc";
import type { QueryEventStore } from "../store/query-event-store.ts";
import type { QueryWatches } from "../watching/query-watches.ts";
import type { SearchHandlers } from "./handlers.ts";

export function listQueryEvents(deps: {
  watches: QueryWatches;
  events: QueryEventStore;
}): SearchHandlers["listQueryEvents"] {
  return async (request) => {
    const { pageSize } = pageOf(ListQueryEventsRequestSchema, request);
    const { number, beganAt } = await deps.watches.follow(request.queryId, request.region);
    return {
      events: await deps.events.list(number, pageSize),
      followedSince: timestampFromDate(beganAt),
    };
  };
}
