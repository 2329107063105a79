import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { readMetrics, sumOf } from "@storefront/testkit";
import { expect, test, vi } from "vitest";
import type { AppRouter } from "../src/index.ts";
import { addressList } from "../src/http/client-address.ts";
import { passSeconds } from "./support/clock.ts";
import { openEvents } from "./support/event-client.ts";
import { askAndLeave, hold } from "./support/held-calls.ts";
import { cachedResponses } from "./support/cached-responses.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";

const stack = useStack();
const caching = useCachingStack();
const { warm } = cachedResponses(caching);
const narrow = useStack({
  streamsMax: 1,
  protection: {
    rateLimits: { limitPerMinute: 2, apiKeys: [] },
    trustedProxies: addressList(["127.0.0.1"]),
  },
});

const durations = "http_server_request_duration_seconds_count";

test("metrics are on a port of their own, and never on the public one", async () => {
  const { metricsUrl, url } = stack();
  const page = await fetch(metricsUrl);
  expect(page.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  for (const path of ["/metrics", "/metrics/", "//metrics", "/Metrics", "/explorer/../metrics"]) {
    expect((await stack().ask(path)).status).toBe(404);
  }
  const elsewhere = await fetch(new URL("/offers/full", metricsUrl));
  expect(elsewhere.status).toBe(404);
  expect((await fetch(metricsUrl, { method: "POST" })).status).toBe(405);
  expect(new URL(url).port).not.toBe(new URL(metricsUrl).port);
});

test("requests are counted by operation, method and status, and calls of services by procedure and code", async () => {
  await stack().ask("/offers/full");
  await stack().ask("/offers/full", { method: "HEAD" });
  await stack().ask("/offers/none");
  await stack().ask("/offers/full", { method: "OPTIONS" });
  const page = await expectCounts(stack().metricsUrl, [
    [durations, { operation: "getOffer", method: "GET", code: "200" }, 1],
    [durations, { operation: "getOffer", method: "HEAD", code: "200" }, 1],
    [durations, { operation: "getOffer", method: "GET", code: "404" }, 1],
    [durations, { operation: "options", code: "204" }, 1],
  ]);
  const procedure = "storefront.catalog.v1.CatalogService/BatchGetOffers";
  const labels = { upstream: "catalog", procedure, code: "ok" };
  expect(sumOf(page, "rpc_client_call_duration_seconds_count", labels)).toBe(3);
});

test("labels stay few: all paths without an operation share one, and so do unknown methods", async () => {
  const before = (await readMetrics(stack().metricsUrl)).get(
    "http_server_request_duration_seconds",
  );
  const paths = ["/a", "/b?c=d", "/offer", "/offers/%zz", "/offers/full/x", "/metrics"];
  for (const path of paths) await stack().ask(path);
  await stack().ask("/offers/full", { method: "PUT" });
  await stack().ask("/nope", { method: "PROPFIND" });
  const page = await expectCounts(stack().metricsUrl, [
    [durations, { operation: "unknown", method: "other", code: "405" }, 1],
  ]);
  const after = page.get("http_server_request_duration_seconds");
  const operationsOf = (family: typeof after) =>
    new Set(family?.samples.map(({ labels }) => labels["operation"]));
  expect([...operationsOf(after).difference(operationsOf(before))]).toEqual(
    operationsOf(before).has("unknown") ? [] : ["unknown"],
  );
});

test("each procedure of a joined tRPC request is counted, also with invalid input", async () => {
  const client = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${stack().url}/trpc` })],
  });
  await Promise.allSettled([
    client.catalog.getOffer.query({ id: "full" }),
    client.catalog.getOffer.query({ id: "none" }),
    client.catalog.getOffer.query({ id: "" }),
  ]);
  const name = "trpc_procedure_duration_seconds_count";
  const page = await expectCounts(stack().metricsUrl, [
    [name, { operation: "getOffer", code: "ok" }, 1],
    [name, { operation: "getOffer", code: "NOT_FOUND" }, 1],
    [durations, { operation: "trpc", code: "207" }, 1],
  ]);
  expect(sumOf(page, name, { operation: "getOffer" })).toBe(3);
});

test("responses are counted by their cache result", async () => {
  await warm("/offers/full");
  passSeconds(61);
  await caching().ask("/offers/full");
  const name = "response_cache_requests_total";
  await expectCounts(caching().metricsUrl, [
    [name, { result: "stale" }, 1],
    ["response_cache_refreshes_total", { outcome: "renewed" }, 1],
    [durations, { operation: "getOffer", code: "200" }, 3],
  ]);
  const down = () => Promise.reject(new Error("down"));
  for (const method of ["batchGetOffers", "batchGetPrices"]) {
    caching().services.interfere.set(method, down);
  }
  passSeconds(400);
  await caching().ask("/offers/full");
  await caching().ask("/offers/bare");
  const page = await expectCounts(caching().metricsUrl, [
    [name, { result: "stale_if_error" }, 1],
    [name, { result: "miss" }, 2],
    [name, { result: "fresh" }, 1],
    ["response_cache_entries", {}, 1],
  ]);
  expect(sumOf(page, "response_cache_bytes")).toBeGreaterThan(0);
});

test("tRPC calls are counted by their cache result, each call of a joined request", async () => {
  await warm("/offers/full");
  const result = (of: string) => ["response_cache_requests_total", { result: of }] as const;
  const before = await readMetrics(caching().metricsUrl);
  const [fresh, miss] = ["fresh", "miss"].map((of) => sumOf(before, ...result(of)));
  const input = encodeURIComponent(JSON.stringify({ id: "full" }));
  for (const asked of [1, 2]) {
    await caching().ask(`/trpc/catalog.getOffer?input=${input}`);
    await expectCounts(caching().metricsUrl, [[...result("fresh"), (fresh ?? 0) + asked]]);
  }
  const inputs = encodeURIComponent(JSON.stringify({ 0: { id: "full" }, 1: { id: "item" } }));
  const path = `/trpc/catalog.getOffer,catalog.getItem?batch=1&input=${inputs}`;
  expect((await caching().ask(path)).status).toBe(200);
  await expectCounts(caching().metricsUrl, [
    [...result("fresh"), (fresh ?? 0) + 3],
    [...result("miss"), (miss ?? 0) + 1],
    ["trpc_procedure_duration_seconds_count", { operation: "getOffer", code: "ok" }, 3],
    ["trpc_procedure_duration_seconds_count", { operation: "getItem", code: "ok" }, 1],
    [durations, { operation: "trpc", method: "GET", code: "200" }, 3],
  ]);
});

test.for([
  ["without a cache", stack],
  ["with one", caching],
] as const)("%s, a tRPC client that leaves is no failure of a service", async ([, current]) => {
  const { begun } = hold(current(), "listItems");
  for (const path of ["/trpc/catalog.listItems", "/trpc/catalog.listItems?batch=1"]) {
    const before = begun().length;
    const client = askAndLeave(current(), path);
    await vi.waitUntil(() => begun().length > before);
    await client.leave();
    await vi.waitUntil(() => begun().at(-1)?.signal.aborted);
  }
  expect(begun()).toHaveLength(2);
  await expectCounts(current().metricsUrl, [
    ["trpc_procedure_duration_seconds_count", { operation: "listItems", code: "CANCELED" }, 2],
    ["trpc_procedure_duration_seconds_count", { operation: "listItems" }, 2],
    [durations, { operation: "trpc", code: "499" }, 2],
  ]);
});

test("the progress of feeds is reported also while they are unavailable, and is never NaN", async () => {
  const lags = async (feed: string) => {
    const page = await readMetrics(caching().metricsUrl);
    const of = (name: string) => sumOf(page, name, { feed });
    return {
      isConnected: of("feed_connected") === 1,
      position: of("feed_position"),
      entries: of("feed_lag_entries"),
      seconds: of("feed_lag_seconds"),
    };
  };
  const { catalog } = caching().services.feeds;
  const position = (await lags("catalog")).position;
  expect(await lags("catalog")).toEqual({ isConnected: true, position, entries: 0, seconds: 0 });
  catalog.backlog = 7n;
  catalog.commit({ kind: "offer", key: ["full"], namespace: "room" });
  await expect.poll(async () => (await lags("catalog")).entries).toBe(7);
  catalog.interrupt();
  await expect.poll(async () => (await lags("catalog")).isConnected).toBe(false);
  const interrupted = await lags("catalog");
  expect(interrupted).toMatchObject({ position: position + 1, entries: 7 });
  expect(interrupted.seconds).toBeGreaterThan(0);
  catalog.backlog = 0n;
});

test("event streams are counted, and their length is no request duration", async () => {
  const { url, metricsUrl } = narrow();
  const reader = await openEvents(url, "/changelist/stream", { "x-forwarded-for": "198.51.100.1" });
  const refused = await narrow().ask("/changelist/stream", {
    headers: { "x-forwarded-for": "198.51.100.2" },
  });
  expect(refused.status).toBe(503);
  await expectCounts(metricsUrl, [
    ["event_streams_open", {}, 1],
    ["event_streams_max", {}, 1],
    ["event_streams_total", { outcome: "opened" }, 1],
    ["event_streams_total", { outcome: "refused" }, 1],
    ["http_server_requests_in_flight", {}, 1],
  ]);
  reader.close();
  await expectCounts(metricsUrl, [
    ["event_streams_open", {}, 0],
    [durations, { operation: "watchEntries", code: "200" }, 0],
    [durations, { operation: "watchEntries", code: "503" }, 1],
  ]);
});

test("requests beyond a limit are counted apart from those within", async () => {
  const headers = { "x-forwarded-for": "198.51.100.9" };
  const before = await readMetrics(narrow().metricsUrl);
  const name = "rate_limit_requests_total";
  const admitted = sumOf(before, name, { outcome: "admitted" });
  for (let asked = 0; asked < 5; asked++) await narrow().ask("/regions", { headers });
  const page = await expectCounts(narrow().metricsUrl, [
    [durations, { operation: "unknown", code: "429" }, 3],
  ]);
  const labels = { policy: "address" };
  expect(sumOf(page, name, { ...labels, outcome: "admitted" })).toBe(admitted + 2);
  expect(sumOf(page, name, { ...labels, outcome: "refused" })).toBe(3);
});

/** Waits for counts: a request is counted once its response is sent, which its client may notice before. */
async function expectCounts(
  metricsUrl: string,
  expected: readonly [name: string, labels: Record<string, string>, count: number][],
) {
  const read = async () => {
    const page = await readMetrics(metricsUrl);
    return expected.map(([name, labels]) => [name, labels, sumOf(page, name, labels)]);
  };
  await expect.poll(read, { timeout: 10_000 }).toEqual(expected);
  return await readMetrics(metricsUrl);
}
