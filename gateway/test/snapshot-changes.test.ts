import { create } from "@bufbuild/protobuf";
import { anyPack, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import { afterEach, expect, test, vi } from "vitest";
import { copiesMax } from "../src/upstream/clients.ts";
import { openEvents } from "./support/event-client.ts";
import type { EventReader } from "./support/event-client.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack({ streamsPerAddressMax: 100 });
const feeds = () => stack().services.feeds;
const beginning = "0-.0-.0-.0-";
const time = "2026-03-16T19:05:41.123Z";
const observedAt = timestampFromDate(new Date(time));
const times = { observedAt, committedAt: observedAt };

const readers: EventReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
  for (const feed of Object.values(feeds())) feed.resume();
});

async function follow(after: string | undefined, lastEventId?: string): Promise<EventReader> {
  const query = after === undefined ? "" : `?after=${after}`;
  const headers = lastEventId === undefined ? undefined : { "last-event-id": lastEventId };
  const reader = await openEvents(stack().url, `/snapshot/changes${query}`, headers);
  readers.push(reader);
  return reader;
}

/** The cursor at the end of every log. */
async function endOfLogs(): Promise<string> {
  const count = Object.values(feeds()).reduce((sum, feed) => sum + feed.length(), 0);
  const reader = await follow(beginning);
  const events = await reader.first(count);
  reader.close();
  return events.at(-1)?.id ?? "";
}

function commitOffer(id: string): void {
  const record = anyPack(OfferSchema, create(OfferSchema, { id }));
  feeds().catalog.commit({ kind: "offer", key: [id], record, ...times });
}

test("each write after the cursor is sent once, as a line, those of one service in order", async () => {
  const cursor = await endOfLogs();
  const reader = await follow(cursor);
  commitOffer("o1");
  feeds().pricing.commit({ kind: "price", key: ["o1", "US"], ...times });
  feeds().reviews.commit({ kind: "review", key: ["r1"], isForgotten: true, ...times });
  const entry = create(EntrySchema, { id: "e1", contextType: "asset", contextId: "app" });
  const subjectKey = ["app", "Windows", "n1"];
  const ofEntry = { kind: "entry", key: ["e1"], record: anyPack(EntrySchema, entry), ...times };
  feeds().changelog.commit({ ...ofEntry, subjectKey });
  feeds().changelog.commit(ofEntry);
  feeds().changelog.commit({ kind: "entry", key: ["e1"], ...times });
  const events = await reader.first(6);
  const lines = Map.groupBy(
    events.map(({ data }) => data),
    ({ kind }) => kind,
  );
  const seen = { observedAt: time, committedAt: time };
  const record = { id: "e1", contextType: "asset", contextId: "app", changes: [] };
  expect(Object.fromEntries(lines)).toEqual({
    offer: [{ restored: true, kind: "offer", op: "upsert", ...seen, record: { id: "o1" } }],
    price: [{ kind: "price", op: "delete", ...seen, record: { offerId: "o1", region: "US" } }],
    review: [{ kind: "review", op: "forget", ...seen, record: { id: "r1" } }],
    entry: [
      {
        restored: true,
        kind: "entry",
        op: "upsert",
        committedAt: time,
        record: { ...record, key: subjectKey },
      },
      { kind: "entry", op: "upsert", committedAt: time, record },
      { kind: "entry", op: "delete", committedAt: time, record: { id: "e1" } },
    ],
  });
});

test("a client that resumes from the id of an event gets what follows it, also when a service restarts", async () => {
  const reader = await follow(await endOfLogs());
  for (const id of ["a", "b", "c"]) commitOffer(id);
  const [, second] = await reader.first(3);
  reader.close();
  const again = await follow(beginning, second?.id);
  expect((await again.first(1)).map(({ data }) => data["record"])).toEqual([{ id: "c" }]);

  feeds().catalog.interrupt();
  commitOffer("d");
  feeds().reviews.commit({ kind: "review", key: ["while it is away"], ...times });
  const others = await again.first(2);
  expect(others[1]?.data).toMatchObject({ kind: "review" });
  feeds().catalog.resume();
  commitOffer("e");
  const ids = (await again.first(4)).slice(2).map(({ data }) => data["record"]);
  expect(ids).toEqual([{ id: "d" }, { id: "e" }]);
});

test.each([
  [undefined, 400, "after is required."],
  ["1-a.2-b", 400, "after must be a cursor that a snapshot, or a change after it, came with."],
  [
    "1-a.2-b.3-c.!-d",
    400,
    "after must be a cursor that a snapshot, or a change after it, came with.",
  ],
  ["zzz-a.0-.0-.0-", 404, expect.stringContaining("Cursor not found")],
  ["1-another.0-.0-.0-", 404, expect.stringContaining("Cursor not found")],
])("the cursor %s is refused with %i", async (cursor, status, message) => {
  const query = cursor === undefined ? "" : `?after=${cursor}`;
  const response = await stack().ask(`/snapshot/changes${query}`);
  expect([response.status, response.json]).toEqual([status, expect.objectContaining({ message })]);
});

test("a cursor before the start of a pruned log is 410; an unavailable service is 503", async () => {
  feeds().reviews.prunedUpTo = 2n;
  const pruned = await stack().ask(`/snapshot/changes?after=${beginning}`);
  expect([pruned.status, pruned.json]).toEqual([410, expect.objectContaining({ error: "GONE" })]);
  feeds().reviews.prunedUpTo = 0n;
  feeds().pricing.interrupt();
  const unavailable = await stack().ask(`/snapshot/changes?after=${beginning}`);
  expect(unavailable.status).toBe(503);
  expect(unavailable.headers["retry-after"]).toBe("1");
});

test("clients may follow while there are slots, and free theirs when they leave", async () => {
  const cursor = await endOfLogs();
  const isOpened = async () => {
    const reader = await follow(cursor);
    expect(reader.status).toBe(200);
    return reader;
  };
  const first = await vi.waitFor(isOpened);
  // Clients that have just left may still occupy a slot.
  for (let count = 1; count < copiesMax; count++) await vi.waitFor(isOpened);
  expect((await follow(cursor)).status).toBe(503);
  first.close();
  await vi.waitFor(isOpened);
});
