import { ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import { QueryEventType } from "@storefront/contracts/search/v1/search_service";
import type { WatchQueryEventsResponse } from "@storefront/contracts/search/v1/search_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { RunningSearch, Sources } from "./support/search-fixture.ts";

const { ENTERED, LEFT } = QueryEventType;

describeOnEachMigratedDatabase("events of a saved query", (testDatabase) => {
  let sources: Sources;
  let replicas: RunningSearch[];
  const region = "US";
  beforeAll(async () => {
    sources = await startSources(testDatabase.options());
    replicas = [await startSearch(sources), await startSearch(sources)];
    await sources.ingest([offer("first", "DLC")]);
    await eventually(() => isCaughtUp(sources.database));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await sources.close();
  });

  const offer = (id: string, offerType: string) => ({ kind: "offer", record: { id, offerType } });
  const searches = () => {
    const [one, other] = replicas;
    if (one === undefined || other === undefined) throw new Error("there are not two replicas");
    return { one: one.search, other: other.search };
  };
  const save = async (offerType: string) => {
    const { queryId } = await searches().one.saveQuery({ query: { offerTypes: [offerType] } });
    return queryId;
  };
  const listed = async (queryId: string, search = searches().one) => {
    const { events } = await search.listQueryEvents({ queryId, region });
    return events.map(({ type, offerId }) => [type, offerId]);
  };
  const reasonOf = async (call: Promise<unknown>) =>
    await call.then(
      () => undefined,
      (error: unknown) => errorInfoOf(ConnectError.from(error))?.reason,
    );

  it("are listed newest first by every replica, from the first request on", async () => {
    const queryId = await save("DLC");
    expect(await listed(queryId)).toEqual([]);
    await sources.ingest([offer("second", "DLC")]);
    await expect.poll(() => listed(queryId)).toEqual([[ENTERED, "second"]]);
    await sources.ingest([offer("first", "DEMO")]);
    const both = [
      [LEFT, "first"],
      [ENTERED, "second"],
    ];
    await expect.poll(() => listed(queryId)).toEqual(both);
    expect(await listed(queryId, searches().other)).toEqual(both);
    const elsewhere = await searches().one.listQueryEvents({ queryId, region: "EURO" });
    expect(elsewhere.events).toEqual([]);
  });

  it("are streamed as they happen, and after the last event of a client, by any replica", async () => {
    const queryId = await save("EDITION");
    const reading = new Reader((options) =>
      searches().one.watchQueryEvents({ queryId, region }, options),
    );
    const { startedAfterEventId, events } = await reading.next();
    expect(startedAfterEventId).not.toBe("");
    expect(events).toEqual([]);
    await sources.ingest([offer("streamed", "EDITION")]);
    const [entered] = await reading.nextEvents();
    expect(entered).toMatchObject({ type: ENTERED, offerId: "streamed" });
    await sources.ingest([offer("streamed", "DLC")]);
    expect(await reading.nextEvents()).toMatchObject([{ type: LEFT, offerId: "streamed" }]);
    reading.stop();

    const after = async (afterEventId: string) => {
      const again = new Reader((options) =>
        searches().other.watchQueryEvents({ queryId, region, afterEventId }, options),
      );
      const found = await again.nextEvents();
      again.stop();
      return found.map(({ type }) => type);
    };
    expect(await after(entered?.id ?? "")).toEqual([LEFT]);
    expect(await after(startedAfterEventId)).toEqual([ENTERED, LEFT]);
  });

  it("are refused after an event that is deleted or of another query", async () => {
    const [queryId, other] = [await save("ADD_ON"), await save("BUNDLE")];
    const { one } = searches();
    const positionIn = async (id: string) => {
      const reading = new Reader((options) =>
        one.watchQueryEvents({ queryId: id, region }, options),
      );
      const { startedAfterEventId } = await reading.next();
      reading.stop();
      return startedAfterEventId;
    };
    const openAfter = async (afterEventId: string) => {
      const reading = new Reader((options) =>
        one.watchQueryEvents({ queryId, region, afterEventId }, options),
      );
      return await reasonOf(reading.next());
    };
    const [own, foreign] = [await positionIn(queryId), await positionIn(other)];
    expect(foreign).not.toBe(own);
    for (const id of [foreign, "1-1", "no place"]) {
      expect(await openAfter(id)).toBe(ErrorReason.QUERY_EVENT_GONE);
    }
    await sources.database.write(
      "update search.query_watch set pruned_through = 5 where query_id = $1",
      [queryId],
    );
    expect(await openAfter(own)).toBe(ErrorReason.QUERY_EVENT_GONE);
  });

  it("also result from reviews", async () => {
    await sources.ingest([offer("rated", "EPISODE")]);
    await eventually(() => isCaughtUp(sources.database));
    const query = { offerTypes: ["EPISODE"], minRating: 8 };
    const { queryId } = await searches().one.saveQuery({ query });
    expect(await listed(queryId)).toEqual([]);
    const review = { id: "of-rated", offerId: "rated", rating: 9 };
    await sources.ingest([{ kind: "review", record: review }]);
    await expect.poll(() => listed(queryId)).toEqual([[ENTERED, "rated"]]);
  });

  it("are limited to saved queries, and to a maximum of them", async () => {
    const { one } = searches();
    const unknown = one.listQueryEvents({ queryId: "0".repeat(32), region });
    expect(await reasonOf(unknown)).toBe(ErrorReason.QUERY_NOT_FOUND);
    const queryId = await save("CONSUMABLE");
    await sources.database.write(
      `insert into search.query_watch (query_id, region, changes_with_time)
        select 'filler ' || n, 'US', false from generate_series(1, 200) as n`,
    );
    const { QUERY_WATCHES_FULL } = ErrorReason;
    expect(await reasonOf(one.listQueryEvents({ queryId, region }))).toBe(QUERY_WATCHES_FULL);
    await sources.database.write(
      `update search.query_watch set asked_at = clock_timestamp() - interval '15 days'
        where query_id like 'filler %'`,
    );
    expect(await listed(queryId)).toEqual([]);
  });
});

type OpenStream = (options: CallOptions) => AsyncIterable<WatchQueryEventsResponse>;

/** Reads a stream message by message. */
class Reader {
  readonly #stopping = new AbortController();
  readonly #messages: AsyncIterator<WatchQueryEventsResponse>;

  constructor(open: OpenStream) {
    const { signal } = this.#stopping;
    this.#messages = open({ signal, timeoutMs: 0 })[Symbol.asyncIterator]();
  }

  async next(): Promise<WatchQueryEventsResponse> {
    const { value, done } = await this.#messages.next();
    if (done === true) throw new Error("the stream has ended");
    return value;
  }

  /** The events of the next message that is no heartbeat. */
  async nextEvents(): Promise<WatchQueryEventsResponse["events"]> {
    for (;;) {
      const { events } = await this.next();
      if (events.length > 0) return events;
    }
  }

  stop(): void {
    this.#stopping.abort();
  }
}
