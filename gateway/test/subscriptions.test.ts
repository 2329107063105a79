import { ChangeType } from "@storefront/contracts/type/v1/change";
import { startTcpProxy } from "@storefront/testkit";
import { createTRPCUntypedClient, httpSubscriptionLink } from "@trpc/client";
import type { TRPCClientError } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { EventSource } from "undici";
import { afterEach, expect, test } from "vitest";
import { openEvents } from "./support/event-client.ts";
import { entry, value } from "./support/records.ts";
import { savedQueryId } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();
const few = useStack({ streamsPerAddressMax: 1 });

const path = "changelog.watchEntries";

let leave: (() => void)[] = [];
afterEach(() => {
  for (const one of leave) one();
  leave = [];
});

type Failure = TRPCClientError<AnyTRPCRouter>;

/** Subscribes with tRPC's own link, and collects the events. */
function subscribe(input: object, { url = stack().url, procedure = path } = {}) {
  const client = createTRPCUntypedClient<AnyTRPCRouter>({
    links: [httpSubscriptionLink({ url: `${url}/trpc`, EventSource })],
  });
  const seen = {
    started: 0,
    events: new Array<unknown>(),
    breaks: new Array<unknown>(),
    failures: new Array<Failure>(),
  };
  const subscription = client.subscription(procedure, input, {
    onStarted: () => (seen.started += 1),
    onData: (event) => seen.events.push(event),
    onConnectionStateChange: ({ error }) => seen.breaks.push(error?.data),
    onError: (error) => seen.failures.push(error),
  });
  leave.push(() => subscription.unsubscribe());
  return seen;
}

const added = (id: string) =>
  entry(id, "offer", "full", [
    { changeType: ChangeType.INSERT, type: "string", field: "title", newValue: value("New") },
  ]);

test("each change is sent once, with its id, and a subscription resumes after the last one", async () => {
  const first = subscribe({});
  await expect.poll(() => first.started).toBe(1);
  stack().services.log.append(added("s0"), added("s1"));
  const { json } = await stack().ask("/changelist/s0");
  await expect.poll(() => first.events).toMatchObject([{ id: "s0", data: json }, { id: "s1" }]);
  const resumed = subscribe({ lastEventId: "s0" });
  await expect.poll(() => resumed.events).toMatchObject([{ id: "s1" }]);
  stack().services.log.append(added("s2"));
  await expect.poll(() => resumed.events).toMatchObject([{ id: "s1" }, { id: "s2" }]);
});

test("a subscription that is cut off resumes after its last event, without a gap or a repetition", async () => {
  const proxy = await startTcpProxy(Number(new URL(stack().url).port));
  const cut = subscribe({}, { url: `http://127.0.0.1:${proxy.port}` });
  await expect.poll(() => cut.started).toBe(1);
  const { log } = stack().services;
  log.append(added("cut0"), added("cut1"));
  await expect.poll(() => cut.events).toHaveLength(2);
  await proxy.stop();
  log.append(added("cut2"), added("cut3"));
  const again = await startTcpProxy(Number(new URL(stack().url).port), proxy.port);
  leave.push(() => void again.stop());
  await expect.poll(() => cut.started).toBe(2);
  log.append(added("cut4"));
  const ids = [0, 1, 2, 3, 4].map((index) => ({ id: `cut${index}` }));
  await expect.poll(() => cut.events).toMatchObject(ids);
});

test.for([
  ["pricing.watchPriceChanges", { lastEventId: "p3" }, { id: "p4", data: { offerId: "orphan" } }],
  [
    "search.followQuery",
    { id: savedQueryId, lastEventId: "1-a" },
    { id: "2-b", data: { id: "2-b", type: "left", offerId: "gone" } },
  ],
] as const)("%s sends what follows the last event", async ([procedure, input, event]) => {
  const { events } = subscribe(input, { procedure });
  await expect.poll(() => events).toMatchObject([event]);
});

test("the id that a browser reconnects with overrides the one that the subscription began with", async () => {
  const input = encodeURIComponent(JSON.stringify({ lastEventId: "e1" }));
  const headers = { "last-event-id": "e5" };
  const reader = await openEvents(stack().url, `/trpc/${path}?input=${input}`, headers);
  leave.push(() => reader.close());
  expect(await reader.first(1)).toMatchObject([{ id: "e6" }]);
});

test.for([
  [path, { after: "unknown" }, "NOT_FOUND", /./],
  [path, { after: 5 }, "INVALID_ARGUMENT", /^after must be/],
  [path, { lastEventId: 5 }, "INVALID_ARGUMENT", /^lastEventId must be/],
  ["pricing.watchPriceChanges", { region: "Narnia" }, "INVALID_ARGUMENT", /^region must be/],
  ["search.followQuery", {}, "INVALID_ARGUMENT", /^id must be/],
  ["search.followQuery", { id: "0".repeat(32) }, "NOT_FOUND", /^Query not found$/],
] as const)("%s with %j fails with %s", async ([procedure, input, code, message]) => {
  const { failures } = subscribe(input, { procedure });
  await expect.poll(() => failures).toHaveLength(1);
  const [failure] = failures;
  expect(failure?.data).toMatchObject({ error: code, path: procedure });
  expect(failure?.message).toMatch(message);
});

test("streams and subscriptions of an address are limited together, and a refused one begins once there is a slot", async () => {
  const { url } = few();
  const reader = await openEvents(url, "/changelist/stream");
  leave.push(() => reader.close());
  const refused = subscribe({ lastEventId: "e5" }, { url });
  const refusal = { error: "UNAVAILABLE", httpStatus: 503 };
  await expect.poll(() => refused.breaks).toContainEqual(expect.objectContaining(refusal));
  expect(refused).toMatchObject({ events: [], failures: [] });
  reader.close();
  await expect.poll(() => refused.events).toMatchObject([{ id: "e6" }, { id: "foreign ü" }]);
  expect((await few().ask("/changelist/stream")).status).toBe(503);
});

test("a subscription accepts only GET, and only JSON as its input", async () => {
  const posted = await fetch(`${stack().url}/trpc/${path}`, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const response = await fetch(`${stack().url}/trpc/${path}?input=%7B`);
  expect(await response.text()).toContain("The input must be well-formed JSON.");
});
