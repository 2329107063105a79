import { ChangeType } from "@storefront/contracts/type/v1/change";
import { Seeded } from "@storefront/testkit";
import { afterEach, expect, test } from "vitest";
import type { GatewayOptions } from "../src/gateway-options.ts";
import { BrokenWatchError } from "./support/entry-log.ts";
import { openEvents } from "./support/event-client.ts";
import type { EventReader } from "./support/event-client.ts";
import { entry, value } from "./support/records.ts";
import { startGateway, useStack } from "./support/start-stack.ts";

const path = "/changelist/stream";
const clients = 200;
const options = { streamsPerAddressMax: clients + 1, streamMemoryBytes: 8192 };
const stack = useStack();
const log = () => stack().services.log;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A new gateway, whose hub does not exist yet. */
async function start(more: Partial<GatewayOptions> = {}) {
  const all = { responseCacheBytes: 0, ...options, ...more };
  const gateway = await startGateway(stack().services, all);
  closing.push(gateway.close);
  const open = async (lastEventId?: string): Promise<EventReader> => {
    const headers = lastEventId === undefined ? undefined : { "last-event-id": lastEventId };
    const reader = await openEvents(gateway.url, path, headers);
    closing.push(() => reader.close());
    return reader;
  };
  return { ...gateway, open };
}

let count = 0;
/** Appends a number of entries and returns their ids. */
function append(number: number): string[] {
  const ids = Array.from({ length: number }, () => `n${count++}`);
  const changes = [
    { changeType: ChangeType.INSERT, type: "string", field: "title", newValue: value("New") },
  ];
  log().append(...ids.map((id) => entry(id, "offer", "full", changes)));
  return ids;
}
const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id);
const callsOf = (method: string) =>
  stack().services.calls.filter((call) => call.method === method).length;

test(`${clients} streams cost the changelog one watch, and their entries one lookup`, async () => {
  const { open } = await start();
  const readers = await Promise.all(Array.from({ length: clients }, () => open()));
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
  const ids = append(20);
  const seen = await Promise.all(readers.map((reader) => reader.first(20)));
  expect(seen.map(idsOf)).toEqual(readers.map(() => ids));
  expect(log().watches).toEqual([""]);
  expect(log().watching).toBe(1);
  expect(callsOf("batchGetChangeContexts")).toBe(1);
  expect(callsOf("listEntriesSince")).toBe(0);
});

test("a client that resumes from memory causes no call to the changelog, even if it was the only one", async () => {
  const { open } = await start();
  const first = await open();
  const ids = append(3);
  await first.first(3);
  first.close();
  await first.ended;
  ids.push(...append(2));
  const again = await open(ids[0]);
  expect(idsOf(await again.first(4))).toEqual(ids.slice(1));
  expect(log().watches).toEqual([""]);
  expect(callsOf("listEntriesSince")).toBe(0);
});

test("a client that connects while the watch is being closed has a stream that continues", async () => {
  const { open } = await start({ streamLingerMs: 0 });
  for (let turn = 0; turn < 8; turn++) {
    (await open()).close();
    const reader = await open();
    const ids = append(1);
    expect(idsOf(await reader.first(1))).toEqual(ids);
    reader.close();
  }
});

test("clients that are further behind read the list together until they reach the events in memory", async () => {
  const { open } = await start();
  const behind = append(120);
  await open();
  const readers = await Promise.all([1, 2, 3].map(() => open(behind[0])));
  const news = append(30);
  const expected = [...behind.slice(1), ...news];
  for (const reader of readers) {
    expect(idsOf(await reader.first(expected.length))).toEqual(expected);
  }
  const calls = callsOf("listEntriesSince");
  expect(calls).toBeLessThan(3 * 3);
  const last = append(1);
  for (const reader of readers) {
    expect(idsOf(await reader.first(expected.length + 1)).at(-1)).toBe(last[0]);
  }
  expect(callsOf("listEntriesSince")).toBe(calls);
  expect(log().watching).toBe(1);
});

test("when an entry is undone every stream ends, and the events in memory are dropped", async () => {
  const { open, ask } = await start();
  const readers = [await open(), await open()];
  const [before = "", lost = ""] = append(2);
  for (const reader of readers) await reader.first(2);
  log().undo(lost);
  log().endWatches();
  for (const reader of readers) expect(await reader.ended).toBe(true);
  expect((await ask(path, { headers: { "last-event-id": lost } })).status).toBe(404);
  const again = await open(before);
  const ids = append(1);
  expect(idsOf(await again.first(1))).toEqual(ids);
});

test("after reconnects and broken watches each client has every entry once and in order", async () => {
  const { open } = await start();
  const random = new Seeded(7);
  const logged: string[] = append(5);
  const followers = await Promise.all(
    Array.from({ length: 8 }, async () => ({ got: [] as string[], reader: await open(logged[0]) })),
  );
  const collect = (follower: (typeof followers)[number]) => {
    follower.got.push(...idsOf(follower.reader.events));
    follower.reader.close();
  };
  for (let step = 0; step < 60; step++) {
    logged.push(...append(1 + random.below(40)));
    const follower = followers[random.below(followers.length)];
    if (follower !== undefined && random.chance(0.5)) {
      collect(follower);
      follower.reader = await open(follower.got.at(-1) ?? logged[0]);
    }
    if (random.chance(0.1))
      log().endWatches(random.number() < 0.5 ? new BrokenWatchError() : undefined);
  }
  const expected = logged.slice(1);
  for (const { got, reader } of followers) {
    const rest = expected.length - got.length;
    expect([...got, ...idsOf(await reader.first(rest))]).toEqual(expected);
  }
}, 30_000);
