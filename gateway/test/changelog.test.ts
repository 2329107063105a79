import { Code, ConnectError } from "@connectrpc/connect";
import { unavailable } from "@storefront/rpc";
import { expect, test } from "vitest";
import { entry } from "./support/records.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const lists = ["/sandboxes/room/changelog", "/items/item/changelog", "/search/changelog"];

const hitsOf = (json: unknown) =>
  (Array.isArray(json) ? json : (json as { hits: unknown[] }).hits) as Record<string, unknown>[];

test("changes have their known values, raw ones both parsed and unparsed", async () => {
  const own = await stack().ask("/changelist/e2");
  expect(own.json).toMatchObject({ _id: "e2", timestamp: "2026-03-16T19:05:41.000Z" });
  expect(own.json).toHaveProperty("metadata.changes", [
    {
      changeType: "update",
      action: "update",
      type: "string",
      field: "title",
      oldValue: null,
      newValue: "Full",
    },
    {
      changeType: "delete",
      action: "delete",
      type: "array",
      field: "tags",
      oldValue: [{ id: "t" }],
    },
  ]);
  const foreign = await stack().ask("/changelist/foreign%20%C3%BC");
  expect(foreign.json).toHaveProperty("metadata.changes", [
    {
      changeType: "update",
      action: "update",
      type: null,
      field: "price",
      oldValue: { amount: 1 },
      newValue: "not JSON",
      oldValueRaw: '{"amount":1}',
      newValueRaw: "not JSON",
    },
  ]);
});

test("a text query is 503 while the search engine is unavailable, a malformed one 400", async () => {
  stack().services.interfere.set("searchEntries", () =>
    Promise.reject(unavailable("search engine", new Error("down"))),
  );
  const { status, json, headers } = await stack().ask("/search/changelog?query=Full");
  expect(status).toBe(503);
  expect(json).toHaveProperty("error", "UNAVAILABLE");
  expect(headers["retry-after"]).toBeDefined();
  expect((await stack().ask("/search/changelog?query=%00")).status).toBe(400);
  expect((await stack().ask("/search/changelog?query=Full&limit=0")).status).toBe(400);
});

test.for([
  ["2026-03-16T19:05:41Z", 1_773_687_941n, 0],
  ["2026-03-16T21:05:41.25%2B02:00", 1_773_687_941n, 250_000_000],
  ["2026-03-16T19:05:41.123456789Z", 1_773_687_941n, 123_456_789],
  ["1969-12-31T23:59:59.75Z", -1n, 750_000_000],
  ["2026-03-16", 1_773_619_200n, 0],
] as const)("since %s is that instant", async ([since, seconds, nanos]) => {
  await stack().ask(`/changelist?since=${since}`);
  expect(stack().services.calls[0]?.request).toMatchObject({
    start: { case: "since", value: { seconds, nanos } },
  });
});

test.for([
  "since=yesterday",
  "since=2026-02-30",
  "since=2026-03-16T19:05:41",
  "since=0000-01-01T00:00:00Z",
  "since=9999-12-31T23:59:59-01:00",
  "since=1773687941",
  "since=2026-01-01&since=2026-01-01",
  "since=2026-01-01&after=e1",
  "after=%0a",
  "after=e1&page=0",
])("the changelist with %s is 400", async (query) => {
  const { status, json } = await stack().ask(`/changelist?${query}`);
  expect(status).toBe(400);
  expect(json).toHaveProperty("error", "INVALID_ARGUMENT");
});

test("an unknown change is not found, neither itself nor what follows it", async () => {
  for (const path of ["/changelist/nope", "/changelist?after=nope"]) {
    const { status, json } = await stack().ask(path);
    expect(status).toBe(404);
    expect(json).toEqual({ message: "Change not found", error: "NOT_FOUND" });
  }
});

test("a list after an undone change is 404, and says to restart", async () => {
  stack().services.log.undo("e2");
  const { status, json } = await stack().ask("/changelist?after=e2");
  expect(status).toBe(404);
  expect(json).toEqual({
    message: "Change undone: its log was lost, or that of a change before it; restart without it",
    error: "NOT_FOUND",
  });
});

test("a page of 50 changes of 50 records takes as many calls as a page of one change", async () => {
  const added = Array.from({ length: 50 }, (_none, index) =>
    entry(`many-${index}`, ["offer", "item", "asset", "build"][index % 4] ?? "", `id-${index}`),
  );
  stack().services.log.append(...added);
  for (const path of [...lists, "/changelist", "/changelist?after=e1"]) {
    stack().services.calls.length = 0;
    await stack().ask(`${path}${path.includes("?") ? "&" : "?"}limit=50`);
    const asked = stack().services.calls.filter(
      ({ method }) => method === "batchGetChangeContexts",
    );
    expect(asked).toHaveLength(1);
    expect(stack().services.calls.length).toBeLessThanOrEqual(3);
  }
});

const enriched = [...lists, "/changelist", "/changelist?after=e1", "/changelist/e2"];

test.for(enriched)(
  "%s responds without contexts when their lookup hangs or fails",
  async (path) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const broken = () => Promise.reject(new ConnectError("secret", Code.Internal));
    for (const lookup of [() => promise, broken]) {
      stack().services.interfere.set("batchGetChangeContexts", lookup);
      // A wait until the request's own deadline would make it fail.
      const { status, json, headers } = await stack().ask(path);
      expect(status).toBe(200);
      expect(headers["catalog-degraded"]).toBe("catalog");
      expect(headers["cache-control"]).toBe("no-store");
      const hits = path === "/changelist/e2" ? [json as Record<string, unknown>] : hitsOf(json);
      expect(hits.length).toBeGreaterThan(0);
      const missing = lists.includes(path) ? { document: null } : {};
      for (const hit of hits)
        expect(hit).toMatchObject({ metadata: { context: null }, ...missing });
    }
    resolve();
  },
);

test("`verified` is true, false or absent", async () => {
  await stack().ask("/offers/full/reviews?verified=");
  expect(stack().services.calls[0]?.request["verified"]).toBeUndefined();
  for (const verified of ["TRUE", "1", "no", "true&verified=true"]) {
    expect((await stack().ask(`/offers/full/reviews?verified=${verified}`)).status).toBe(400);
  }
});
