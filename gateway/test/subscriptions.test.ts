import { ChangeType } from "@storefront/contracts/type/v1/change";
import { createTRPCUntypedClient, httpSubscriptionLink } from "@trpc/client";
import type { TRPCClientError } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { EventSource } from "undici";
import { afterEach, expect, test } from "vitest";
import { openEvents } from "./support/event-client.ts";
import { entry, value } from "./support/records.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();
const few = useStack({ streamsMax: 1 });

const path = "changelog.watchEntries";

let leave: (() => void)[] = [];
afterEach(() => {
  for (const one of leave) one();
  leave = [];
});

type Failure = TRPCClientError<AnyTRPCRouter>;

/** Subscribes with tRPC's own link, and collects what comes. */
function subscribe(input: object) {
  const client = createTRPCUntypedClient<AnyTRPCRouter>({
    links: [httpSubscriptionLink({ url: `${stack().url}/trpc`, EventSource })],
  });
  const seen: { started: number; events: unknown[]; failures: Failure[] } = {
    started: 0,
    events: [],
    failures: [],
  };
  const subscription = client.subscription(path, input, {
    onStarted: () => (seen.started += 1),
    onData: (event) => seen.events.push(event),
    onError: (error) => seen.failures.push(error),
  });
  leave.push(() => subscription.unsubscribe());
  return seen;
}

const added = (id: string) =>
  entry(id, "offer", "full", [
    { changeType: ChangeType.INSERT, type: "string", field: "title", newValue: value("New") },
  ]);

test("each change comes once, with its id, and a subscription goes on after the last one", async () => {
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

test("what a browser names when it reconnects is newer than what the subscription began with", async () => {
  const input = encodeURIComponent(JSON.stringify({ lastEventId: "e1" }));
  const headers = { "last-event-id": "e5" };
  const reader = await openEvents(stack().url, `/trpc/${path}?input=${input}`, headers);
  leave.push(() => reader.close());
  expect(await reader.first(1)).toMatchObject([{ id: "e6" }]);
});

test.for([
  [{ after: "unknown" }, "NOT_FOUND", /./],
  [{ after: 5 }, "INVALID_ARGUMENT", /^after must be/],
  [{ lastEventId: 5 }, "INVALID_ARGUMENT", /^lastEventId must be/],
] as const)("%j ends a subscription with %s", async ([input, code, message]) => {
  const { failures } = subscribe(input);
  await expect.poll(() => failures).toHaveLength(1);
  const [failure] = failures;
  expect(failure?.data).toMatchObject({ error: code, path });
  expect(failure?.message).toMatch(message);
});

test("streams and subscriptions are limited together, and a refused one may come back", async () => {
  const reader = await openEvents(few().url, "/changelist/stream");
  leave.push(() => reader.close());
  const refused = await fetch(`${few().url}/trpc/${path}`);
  const text = await refused.text();
  expect(text).toContain("event: connected");
  const [, data = ""] = /event: serialized-error\ndata: (.*)/.exec(text) ?? [];
  expect(JSON.parse(data)).toMatchObject({ data: { error: "UNAVAILABLE", httpStatus: 503 } });
});

test("a subscription takes GET alone, and an input that is JSON", async () => {
  const posted = await fetch(`${stack().url}/trpc/${path}`, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const response = await fetch(`${stack().url}/trpc/${path}?input=%7B`);
  expect(await response.text()).toContain("The input must be well-formed JSON.");
});
