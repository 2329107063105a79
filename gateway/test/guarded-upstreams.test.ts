import { Code, ConnectError } from "@connectrpc/connect";
import { readMetrics, sumOf } from "@storefront/testkit";
import { expect, test, vi } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { hold } from "./support/held-calls.ts";
import { cachedResponses } from "./support/cached-responses.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";
import type { TestStack } from "./support/start-stack.ts";

const pauseSeconds = 30;
const breaker = { failuresMax: 3, pauseMs: pauseSeconds * 1000 };
const stack = useStack({ breaker });
const caching = useCachingStack({ breaker });
const { warm } = cachedResponses(caching);
const narrow = useStack({ upstreamConnectionsMax: 1, upstreamQueueMax: 1 });

async function metric({ metricsUrl }: TestStack, name: string, labels: Record<string, string>) {
  return sumOf(await readMetrics(metricsUrl), name, labels);
}

const isBroken = (current: TestStack) =>
  metric(current, "upstream_breaker_open", { upstream: "catalog" });

/** Makes calls to the catalog fail until its breaker opens. */
async function breakCatalog(current: TestStack): Promise<void> {
  const { calls, interfere } = current.services;
  const down = new ConnectError("no connection", Code.Unavailable);
  interfere.set("getItem", () => Promise.reject(down));
  for (let round = 0; round < breaker.failuresMax; round++) {
    expect(await isBroken(current)).toBe(0);
    expect((await current.ask("/items/item")).status).toBe(503);
  }
  expect(await isBroken(current)).toBe(1);
  interfere.delete("getItem");
  calls.length = 0;
}

test("a service that is down gets one call after a pause, and all calls once that succeeds", async () => {
  await breakCatalog(stack());
  const { calls } = stack().services;
  const refused = await stack().ask("/items/item");
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  expect((await stack().ask("/offers/full/reviews")).status).toBe(200);
  expect(calls.map(({ method }) => method)).toEqual(["listReviews"]);

  passSeconds(pauseSeconds);
  const { begun, release } = hold(stack(), "getItem");
  const attempt = stack().ask("/items/item");
  await vi.waitUntil(() => begun().length === 1);
  expect((await stack().ask("/items/item")).status).toBe(503);
  release();
  expect((await attempt).status).toBe(200);
  expect(begun()).toHaveLength(1);
  expect(await isBroken(stack())).toBe(0);
  expect((await stack().ask("/items/item")).status).toBe(200);
  const labels = { upstream: "catalog", reason: "breaker_open" };
  expect(await metric(stack(), "upstream_refused_calls_total", labels)).toBe(2);
});

test("cached responses are served for a service that is down, without a call", async () => {
  await warm("/items");
  // By then they are served only while no new one can be made.
  passSeconds(400);
  await breakCatalog(caching());
  expect(await caching().ask("/items")).toMatchObject({
    status: 200,
    headers: { age: expect.stringMatching(/^4\d\d$/) },
  });
  expect(caching().services.calls).toEqual([]);
});

test("calls beyond the queue for a connection are refused at once, except probes of health", async () => {
  const { begun, release } = hold(narrow(), "listItems");
  const responses = [narrow().ask("/items"), narrow().ask("/items")];
  const inFlight = () => metric(narrow(), "upstream_calls_in_flight", { upstream: "catalog" });
  await vi.waitUntil(async () => (await inFlight()) === 2);
  expect(await narrow().ask("/items")).toMatchObject({
    status: 503,
    headers: { "retry-after": "1" },
  });
  expect(begun()).toHaveLength(1);
  const health = narrow().ask("/health");
  release();
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await health).status).toBe(200);
  const labels = { upstream: "catalog", reason: "queue_full" };
  expect(await metric(narrow(), "upstream_refused_calls_total", labels)).toBe(1);
});
