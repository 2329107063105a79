import { afterEach, expect, test } from "vitest";
import type { PriceChange } from "@storefront/contracts/pricing/v1/price_change";
import { openEvents } from "./support/event-client.ts";
import type { EventReader } from "./support/event-client.ts";
import { priceChange } from "./support/price-log.ts";
import { startGateway, useStack } from "./support/start-stack.ts";

const path = "/price-changes/stream";
const stack = useStack();
const prices = () => stack().services.prices;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A new gateway, whose hub does not exist yet. */
async function start() {
  const gateway = await startGateway(stack().services, { responseCacheBytes: 0 });
  closing.push(gateway.close);
  const open = async (query = "", lastEventId?: string): Promise<EventReader> => {
    const headers = lastEventId === undefined ? undefined : { "last-event-id": lastEventId };
    const reader = await openEvents(gateway.url, path + query, headers);
    closing.push(() => reader.close());
    return reader;
  };
  return { ...gateway, open };
}

let count = 4;
/** Appends a change in each of the regions and returns them. */
function append(...regions: string[]): PriceChange[] {
  const changes = regions.map((region) => priceChange(++count, "full", region, { after: 1n }));
  prices().append(...changes);
  return changes;
}
const idsOf = (changes: readonly { id: string }[]) => changes.map(({ id }) => id);
const callsOf = (method: string) =>
  stack().services.calls.filter((call) => call.method === method).length;

test("each new change is sent once, as the list shows it, by one watch for all clients", async () => {
  const { open, ask } = await start();
  const readers = [await open(), await open(), await open()];
  const added = append("US", "EURO");
  for (const reader of readers) {
    const events = await reader.first(2);
    expect(idsOf(events)).toEqual(idsOf(added));
    const { json } = await ask("/price-changes?after=p4");
    expect(json).toMatchObject({ elements: events.map(({ data }) => data) });
  }
  expect(prices().watches).toEqual([""]);
  expect(callsOf("batchGetOffers")).toBe(4);
});

test("followers of a region get only its changes, and move past those of other regions", async () => {
  const { open } = await start();
  const german = await open("?region=euro");
  const [, euro, , last] = append("US", "EURO", "US", "JP");
  expect(idsOf(await german.first(1))).toEqual([euro?.id]);
  await expect.poll(() => german.lastEventId).toBe(last?.id);
  const [next] = append("EURO");
  expect(idsOf(await german.first(2)).at(-1)).toBe(next?.id);
});

test("a client that reconnects resumes after its last event, from memory or else from the list", async () => {
  const { open } = await start();
  expect(idsOf(await (await open("?after=p1")).first(3))).toEqual(["p2", "p3", "p4"]);
  expect(callsOf("listPriceChanges")).toBe(1);
  const [first, ...others] = append("EURO", "US", "EURO");
  const remembering = await open();
  await expect.poll(() => remembering.comments).toBeGreaterThan(0);
  const more = append("US", "EURO");
  await remembering.first(2);
  const again = await open("", first?.id);
  expect(idsOf(await again.first(4))).toEqual(idsOf([...others, ...more]));
  const german = await open("?region=EURO&after=p1");
  const euros = [...others, ...more].filter(({ region }) => region === "EURO");
  expect(idsOf(await german.first(4))).toEqual(["p2", ...idsOf(first ? [first, ...euros] : [])]);
  const [news] = append("EURO");
  expect(idsOf(await german.first(5)).at(-1)).toBe(news?.id);
});

test("when a price is forgotten, its earlier changes in memory are no longer sent", async () => {
  const { open } = await start();
  const reader = await open();
  const [first] = append("US", "US");
  await reader.first(2);
  const forgotten = { ...priceChange(++count, "full", "US", {}), isForgotten: true };
  prices().forget(forgotten);
  expect((await reader.first(3)).at(-1)?.data).toMatchObject({ isForgotten: true, price: null });
  const again = await open("", first?.id);
  expect(idsOf(await again.first(1))).toEqual([forgotten.id]);
});

test("a stream ends when history is lost, and a resume from the lost history is 404", async () => {
  const { open, ask } = await start();
  const reader = await open();
  const [preserved, lost] = append("US", "US");
  await reader.first(2);
  prices().undo(lost?.id ?? "");
  prices().endWatches();
  expect(await reader.ended).toBe(true);
  const response = await ask(path, { headers: { "last-event-id": lost?.id ?? "" } });
  expect([response.status, response.json]).toMatchObject([404, { error: "NOT_FOUND" }]);
  const [next] = append("US");
  expect(idsOf(await (await open("", preserved?.id)).first(1))).toEqual([next?.id]);
});
