import { readMetrics, sumOf } from "@storefront/testkit";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { hold } from "./support/held-calls.ts";
import { askRaw } from "./support/http-client.ts";
import { cachedResponses } from "./support/cached-responses.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";

const workInFlightMax = 4;
const stack = useCachingStack({ workInFlightMax });
const { warm } = cachedResponses(stack);
const narrow = useStack({ workInFlightMax: 1, connectionsMax: 2 });

/** Fills the gateway with as much work as it admits. */
async function fill() {
  const { begun, release } = hold(stack(), "getItem");
  const responses = Array.from({ length: workInFlightMax }, (_none, index) =>
    stack().ask(`/items/item-${index}`),
  );
  await vi.waitUntil(() => begun().length === workInFlightMax);
  return {
    begun,
    release: async () => {
      release();
      return (await Promise.all(responses)).map(({ status }) => status);
    },
  };
}

const refusal = { status: 503, headers: { "retry-after": "1" } };

test("beyond the bound new work is refused at once, by REST and tRPC, until there is room", async () => {
  const { begun, release } = await fill();
  expect(await stack().ask("/items/item")).toMatchObject(refusal);
  expect(
    await stack().ask("/trpc/catalog.getItem?input=%7B%22id%22%3A%22item%22%7D"),
  ).toMatchObject(refusal);
  expect(begun()).toHaveLength(workInFlightMax);
  const page = await readMetrics(stack().metricsUrl);
  expect(sumOf(page, "work_admissions_total", { outcome: "refused" })).toBe(2);
  expect(sumOf(page, "work_in_flight", {})).toBe(workInFlightMax);
  expect(await release()).toEqual([404, 404, 404, 404]);
  expect((await stack().ask("/items/item")).status).toBe(200);
});

test("beyond the bound cached responses are served, shared ones awaited, and probes pass", async () => {
  await warm("/items");
  // By then a new one is tried first.
  passSeconds(400);
  await warm("/offers/full");
  // The clock stands still until the equal requests have joined: work is joined in its first 0.8 s only.
  const clock = vi.spyOn(performance, "now");
  const runningClock = clock.getMockImplementation();
  if (runningClock === undefined) throw new Error("the clock is not mocked");
  clock.mockReturnValue(performance.now());
  const joined = stack().ask("/items/item-0");
  const { begun, release } = await fill();
  const inFlight = async () =>
    sumOf(await readMetrics(stack().metricsUrl), "http_server_requests_in_flight", {});
  await vi.waitUntil(async () => (await inFlight()) === workInFlightMax + 1);
  clock.mockImplementation(runningClock);
  expect((await stack().ask("/offers/full")).status).toBe(200);
  expect(await stack().ask("/items")).toMatchObject({
    status: 200,
    headers: { age: expect.stringMatching(/^4\d\d$/) },
  });
  for (const path of ["/livez", "/readyz", "/health"]) {
    expect({ path, status: (await stack().ask(path)).status }).toEqual({ path, status: 200 });
  }
  await release();
  expect((await joined).status).toBe(404);
  expect(begun()).toHaveLength(workInFlightMax);
});

test("an operation that costs more than the bound runs if nothing else does", async () => {
  expect((await narrow().ask("/items")).status).toBe(200);
});

test("a connection beyond the limit is closed, and counted", async () => {
  const { hostname, port } = new URL(narrow().url);
  const sockets = [1, 2].map(() => connect({ host: hostname, port: Number(port) }));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const request = "GET /regions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const refused = await askRaw(narrow().url, request).catch(() => "");
  expect(refused).toBe("");
  const page = await readMetrics(narrow().metricsUrl);
  expect(sumOf(page, "http_server_refused_connections_total", {})).toBe(1);
  for (const socket of sockets) socket.destroy();
  await vi.waitUntil(async () => {
    const response = await askRaw(narrow().url, request).catch(() => "");
    return response.startsWith("HTTP/1.1 200");
  });
});
