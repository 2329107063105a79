import { beforeAll, afterAll, expect, test, vi } from "vitest";
import { defaultRegion } from "@storefront/domain/regions";
import { RecentAggregations } from "../src/operations/search/recent-aggregations.ts";
import { createClients } from "../src/upstream/clients.ts";
import type { Clients } from "../src/upstream/clients.ts";
import { passSeconds } from "./support/clock.ts";
import { hold } from "./support/held-calls.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();
let clients: Clients;
beforeAll(() => {
  clients = createClients(stack().services.urls);
});
afterAll(() => clients.close());

const asking = (leftMs: number) => ({
  requestId: "r",
  signal: new AbortController().signal,
  traceparent: undefined,
  tracestate: undefined,
  deadlineAt: performance.now() + leftMs,
  upstreamCalls: [],
  reads: undefined,
  clients,
});

test("a request does not wait for counts in progress that are too old for it", async () => {
  const { begun, release } = hold(stack(), "searchOffers");
  const recent = new RecentAggregations();
  const first = recent.find(asking(60_000), {}, defaultRegion);
  const joined = recent.find(asking(60_000), {}, defaultRegion);
  await vi.waitUntil(() => begun().length === 1);
  passSeconds(1);
  const second = recent.find(asking(60_000), {}, defaultRegion);
  await vi.waitUntil(() => begun().length === 2);
  release();
  expect(await joined).toBe(await first);
  expect(await second).toEqual(await first);
});

test("the deadline of counts is extended by the time in which others may join", async () => {
  const { begun, release } = hold(stack(), "searchOffers");
  vi.spyOn(performance, "now").mockReturnValue(Math.round(performance.now()));
  const counts = new RecentAggregations().find(asking(60_000), {}, defaultRegion);
  await vi.waitUntil(() => begun().length === 1);
  expect(begun()[0]?.headers.get("connect-timeout-ms")).toBe("60800");
  release();
  await counts;
});
