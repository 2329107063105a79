import { Code, ConnectError } from "@connectrpc/connect";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { createLogger } from "@storefront/process";
import { once } from "node:events";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { BrokenWatchError } from "../../../test/support/entry-log.ts";
import { openEvents } from "../../../test/support/event-client.ts";
import type { EventReader } from "../../../test/support/event-client.ts";
import { entry, value } from "../../../test/support/records.ts";
import { useStack } from "../../../test/support/start-stack.ts";
import { createGateway } from "../../create-gateway.ts";

const path = "/changelist/stream";
const stack = useStack({ requestTimeoutMs: 1000 });
const few = useStack({ streamsMax: 2 });
const impatient = useStack({ stallTimeoutMs: 200, streamMemoryBytes: 2 ** 20 });
const small = useStack({ streamMemoryBytes: 2 ** 20 });

const opened: EventReader[] = [];
const open = async (
  target = path,
  headers: Record<string, string> = {},
  baseUrl = stack().url,
): Promise<EventReader> => {
  const reader = await openEvents(baseUrl, target, headers);
  opened.push(reader);
  return reader;
};
// The next test's log must not be watched by this one's followers.
afterEach(async () => {
  for (const reader of opened.splice(0)) reader.close();
  const logs = [stack, few, impatient, small].map((each) => each().services.log);
  await vi.waitUntil(() => logs.every(({ watching }) => watching === 0), { timeout: 10_000 });
});

const idsOf = (events: { id: string }[]) => events.map(({ id }) => id);
const added = (from: number, count: number, text = "New") =>
  Array.from({ length: count }, (_none, index) =>
    entry(`n${from + index}`, "offer", "full", [
      { changeType: ChangeType.INSERT, type: "string", field: "title", newValue: value(text) },
    ]),
  );
const numbered = (from: number, count: number) => added(from, count).map(({ id }) => id);

test("a stream begins with a comment, and sends each new change as the changelist shows it", async () => {
  const reader = await open();
  expect(reader.status).toBe(200);
  expect(reader.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
    "x-request-id": expect.any(String),
  });
  expect(reader.headers).not.toHaveProperty("content-encoding");
  await expect.poll(() => reader.comments).toBe(1);
  stack().services.log.append(...added(0, 2));
  const events = await reader.first(2);
  expect(idsOf(events)).toEqual(["n0", "n1"]);
  expect(events[0]?.data).toEqual((await stack().ask("/changelist/n0")).json);
  expect(events[0]?.data).toHaveProperty("metadata.context.title", "Full");
});

test("a client resumes after its Last-Event-ID, else after the event in its query", async () => {
  const byHeader = await open(`${path}?after=e1`, { "last-event-id": "e5" });
  expect(idsOf(await byHeader.first(2))).toEqual(["e6", "foreign ü"]);
  const byQuery = await open(`${path}?after=e6`, { "last-event-id": "" });
  expect(idsOf(await byQuery.first(1))).toEqual(["foreign ü"]);
  stack().services.log.append(...added(0, 1));
  expect(idsOf(await byHeader.first(3)).at(-1)).toBe("n0");
  const id = Buffer.from("foreign ü").toString("latin1");
  expect(idsOf(await (await open(path, { "last-event-id": id })).first(1))).toEqual(["n0"]);
});

test.for([
  [404, "?after=nope", undefined],
  [404, "", "nope"],
  [400, "?after=%0a", undefined],
  [400, "?after=e1&after=e2", undefined],
  [400, "", "x".repeat(257)],
  [400, "", "\u00ff"],
] as const)(
  "a start is %d with the query %j and the Last-Event-ID %j",
  async ([status, query, lastEventId]) => {
    const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const response = await stack().ask(path + query, { headers });
    expect(response.status).toBe(status);
    expect(response.json).toHaveProperty(
      "error",
      status === 404 ? "NOT_FOUND" : "INVALID_ARGUMENT",
    );
  },
);

test("a changelog that is down is 503, a silent one 504", async () => {
  const { log } = stack().services;
  log.beforeWatch = () => Promise.reject(new ConnectError("secret", Code.Unavailable));
  expect((await stack().ask(path)).status).toBe(503);
  const { promise, resolve } = Promise.withResolvers<void>();
  log.beforeWatch = () => promise;
  expect((await stack().ask(path)).status).toBe(504);
  resolve();
});

test("a follower misses and repeats no change when the changelog drains or breaks repeatedly", async () => {
  const { log } = stack().services;
  const reader = await open();
  let count = 0;
  for (const failure of [undefined, new BrokenWatchError(), undefined]) {
    log.append(...added(count, 150));
    count += 150;
    await reader.first(count - 20);
    log.endWatches(failure);
    log.append(...added(count, 7));
    count += 7;
    expect(idsOf(await reader.first(count))).toEqual(numbered(0, count));
  }
  await expect.poll(() => log.watches.length).toBeGreaterThan(1);
  expect(log.watches.slice(1)).not.toContain("");
});

test("an unavailable changelog is retried, with comments sent meanwhile", async () => {
  const { log } = stack().services;
  const reader = await open(`${path}?after=foreign%20%C3%BC`);
  await expect.poll(() => reader.comments).toBe(1);
  log.beforeWatch = () => Promise.reject(new ConnectError("down", Code.Unavailable));
  log.endWatches();
  await expect.poll(() => log.watches.length).toBeGreaterThan(2);
  expect(reader.comments).toBeGreaterThan(1);
  log.beforeWatch = () => Promise.resolve();
  log.append(...added(0, 1));
  expect(idsOf(await reader.first(1))).toEqual(["n0"]);
});

test("a stream without a start sends its position at once, and resumes there when it breaks before its first change", async () => {
  const { log } = stack().services;
  const reader = await open();
  await expect.poll(() => reader.lastEventId).toBe("foreign ü");
  expect(reader.events).toEqual([]);
  log.endWatches();
  log.append(...added(0, 1));
  expect(idsOf(await reader.first(1))).toEqual(["n0"]);
  const again = await open(path, { "last-event-id": Buffer.from("foreign ü").toString("latin1") });
  expect(idsOf(await again.first(1))).toEqual(["n0"]);
});

test("a stream whose position is unknown ends when it breaks before its first change", async () => {
  stack().services.log.reportsStart = false;
  const reader = await open();
  stack().services.log.endWatches();
  expect(await reader.ended).toBe(true);
  expect(reader.lastEventId).toBeUndefined();
});

test("changes are sent without contexts when the catalog hangs", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("batchGetChangeContexts", () => promise);
  const reader = await open();
  stack().services.log.append(...added(0, 1));
  const [event] = await reader.first(1);
  resolve();
  expect(event?.data).toHaveProperty("metadata.context", null);
});

// 400 changes of 64 KiB are more than memory and the sockets between log and client hold.
const flood = () => added(0, 400, "x".repeat(65_536));

test("a slow client misses nothing and delays no other", async () => {
  const { log } = small().services;
  const slow = await open(path, {}, small().url);
  const quick = await open(path, {}, small().url);
  slow.pause();
  log.append(...flood());
  expect(idsOf(await quick.first(400))).toEqual(numbered(0, 400));
  slow.resume();
  expect(idsOf(await slow.first(400))).toEqual(numbered(0, 400));
  log.append(...added(400, 1));
  expect(idsOf(await slow.first(401)).at(-1)).toBe("n400");
});

test("a client that reads nothing for too long is disconnected, and its stream no longer counts", async () => {
  const reader = await open(path, {}, impatient().url);
  reader.pause();
  impatient().services.log.append(...flood());
  await expect.poll(() => impatient().services.log.watching).toBe(1);
  await expect.poll(() => impatient().services.log.watching, { timeout: 10_000 }).toBe(0);
  reader.resume();
  expect(await reader.ended).toBe(false);
});

test("a stream that fails to start no longer counts", async () => {
  for (const id of ["a", "b", "c", "d"]) {
    expect((await few().ask(`${path}?after=${id}`)).status).toBe(404);
  }
  expect((await open(path, {}, few().url)).status).toBe(200);
});

test("HEAD responds as GET without the events, other methods as on all paths", async () => {
  const head = await stack().ask(path, { method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  await expect.poll(() => stack().services.log.watching).toBe(0);
  expect((await stack().ask(`${path}?after=nope`, { method: "HEAD" })).status).toBe(404);
  const options = await stack().ask(path, {
    method: "OPTIONS",
    headers: {
      "access-control-request-method": "GET",
      "access-control-request-headers": "last-event-id",
    },
  });
  expect(options.status).toBe(204);
  expect(options.headers["access-control-allow-headers"]).toBe("last-event-id");
  const posted = await stack().ask(path, { method: "POST" });
  expect(posted.status).toBe(405);
  expect(posted.headers["allow"]).toBe("GET, HEAD, OPTIONS");
});

test("closing the gateway ends streams cleanly and at once", async () => {
  const logger = createLogger({ service: "gateway", level: "silent" });
  const gateway = createGateway({ serviceUrls: stack().services.urls, logger });
  const { port } = await gateway.listen({ port: 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${port}`;
  const reader = await open(`${path}?after=e1`, {}, url);
  // A client that would reuse its connection.
  const persistent = connect({ host: "127.0.0.1", port });
  const received = textOf(persistent);
  persistent.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(persistent, "data");
  await reader.first(6);
  const startedAt = performance.now();
  await gateway.close();
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect(await reader.ended).toBe(true);
  expect(reader.events).toHaveLength(6);
  expect((await received).endsWith("\r\n0\r\n\r\n")).toBe(true);
});

test("a stream is logged in one line once it has ended", async () => {
  const reader = await open(path, { "x-request-id": "stream-1" });
  expect(stack().linesOf("stream-1")).toEqual([]);
  reader.close();
  await expect.poll(() => stack().linesOf("stream-1")).toHaveLength(1);
  expect(stack().linesOf("stream-1")[0]).toMatchObject({ path, status: 200 });
});
