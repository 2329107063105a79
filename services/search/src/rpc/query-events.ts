import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import { LogTail } from "@storefront/change-feed";
import type { CommitSignal, LogBatch, LogPosition } from "@storefront/change-feed";
import {
  ListQueryEventsRequestSchema,
  WatchQueryEventsResponseSchema,
} from "@storefront/contracts/search/v1/search_service";
import type { SearchService } from "@storefront/contracts/search/v1/search_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Polling } from "@storefront/database";
import { encodedOf, pageOf, ServiceError } from "@storefront/rpc";
import { eventId, positionOfEvent } from "../store/query-event-store.ts";
import type { QueryEventStore } from "../store/query-event-store.ts";
import type { QueryWatches } from "../watching/query-watches.ts";

/** Interval of renewals while a query is watched, in milliseconds. */
const noteEveryMs = 3_600_000;

export function queryEventHandlers(deps: {
  watches: QueryWatches;
  events: QueryEventStore;
  tails: QueryEventTails;
}) {
  return {
    async listQueryEvents(request) {
      const { pageSize } = pageOf(ListQueryEventsRequestSchema, request);
      const { number, beganAt } = await deps.watches.follow(request.queryId, request.region);
      return {
        events: await deps.events.list(number, pageSize),
        followedSince: timestampFromDate(beganAt),
      };
    },

    async *watchQueryEvents({ queryId, region, afterEventId }, { signal }) {
      const { number } = await deps.watches.follow(queryId, region);
      const isNew = afterEventId === "";
      const after = isNew
        ? await deps.events.newest(number)
        : await positionAfter(deps.events, number, afterEventId);
      let startedAfterEventId = isNew ? eventId(after) : "";
      let notedAtMs = performance.now();
      for await (const { entries } of deps.tails.watch(number, after, signal)) {
        yield encodedOf(WatchQueryEventsResponseSchema, { events: entries, startedAfterEventId });
        startedAfterEventId = "";
        if (performance.now() - notedAtMs < noteEveryMs) continue;
        await deps.watches.follow(queryId, region);
        notedAtMs = performance.now();
      }
    },
  } satisfies Partial<ServiceImpl<typeof SearchService>>;
}

/** @throws ServiceError FAILED_PRECONDITION, QUERY_EVENT_GONE, when later events are deleted. */
async function positionAfter(
  events: QueryEventStore,
  watch: bigint,
  id: string,
): Promise<LogPosition> {
  const position = positionOfEvent(id);
  if (position !== undefined) {
    const { at, start } = await events.read(watch, position.sequence);
    if (at.identity === position.identity && position.sequence >= start) return position;
  }
  throw new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.QUERY_EVENT_GONE,
    message: "the events after this one are not stored: restart without it",
    metadata: { eventId: id },
  });
}

/** Interval of polls for events of other processes, in milliseconds. */
const pollIntervalMs = 1_000;

/** Tails of the logs of watched queries. */
export class QueryEventTails {
  readonly #events: QueryEventStore;
  readonly #polling: Polling;
  readonly #commits: CommitSignal;
  readonly #tails = new Map<bigint, LogTail>();
  #isClosed = false;

  constructor(events: QueryEventStore, polling: Polling, commits: CommitSignal) {
    this.#events = events;
    this.#polling = polling;
    this.#commits = commits;
  }

  /** See {@link LogTail.watch}. */
  async *watch(watch: bigint, after: LogPosition, signal: AbortSignal): AsyncGenerator<LogBatch> {
    if (this.#isClosed) return;
    const tail = this.#tails.get(watch) ?? this.#tailOf(watch);
    this.#tails.set(watch, tail);
    try {
      yield* tail.watch({ after, signal });
    } finally {
      if (tail.watcherCount === 0) this.#tails.delete(watch);
    }
  }

  /** Ends all present and later watches. */
  close(): void {
    this.#isClosed = true;
    for (const tail of this.#tails.values()) tail.close();
  }

  #tailOf(watch: bigint): LogTail {
    const events = this.#events;
    const source = {
      read: (after: bigint) => events.read(watch, after),
      newest: () => events.newest(watch),
    };
    return new LogTail({
      source,
      polling: this.#polling,
      commits: this.#commits,
      pollIntervalMs,
    });
  }
}
