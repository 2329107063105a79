import { QueryClient } from "@tanstack/query-core";
import { expect, test, vi } from "vitest";
import { createCatalogClient, degradedOf, retryCatalogErrors } from "../src/index.ts";
import { failureOf, serve } from "./support/serve.ts";

const json = { "content-type": "application/json" };

/** A server that rejects the first requests, then responds with an empty list; and the URLs requested. */
async function serveAfter(refusals: { status: number; headers?: Record<string, string> }[]) {
  const requested: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    const refusal = refusals[requested.length];
    requested.push(request.url);
    if (refusal !== undefined) {
      response.writeHead(refusal.status, { ...json, ...refusal.headers });
      response.end(JSON.stringify({ message: "Not now.", error: "UNAVAILABLE" }));
      return;
    }
    const count =
      decodeURIComponent(request.url ?? "")
        .split("?")[0]
        ?.split(",").length ?? 1;
    response.writeHead(200, { ...json, "catalog-degraded": "pricing, search" });
    response.end(JSON.stringify(Array.from({ length: count }, () => ({ result: { data: [] } }))));
  });
  return { url, requested };
}

test("a read is retried after a temporary failure", async () => {
  const { url, requested } = await serveAfter([{ status: 503 }, { status: 503 }]);
  expect(await createCatalogClient({ url }).pricing.listRegions.query()).toEqual([]);
  expect(requested).toHaveLength(3);
});

test("it is retried up to the limit", async () => {
  const { url, requested } = await serveAfter(Array.from({ length: 9 }, () => ({ status: 503 })));
  const client = createCatalogClient({ url, retries: 1 });
  expect(await failureOf(client.pricing.listRegions.query())).toMatchObject({ status: 503 });
  expect(requested).toHaveLength(2);
});

test("calls that failed together are retried in one request", async () => {
  const { url, requested } = await serveAfter([{ status: 503 }, { status: 503 }]);
  const client = createCatalogClient({ url });
  await Promise.all([client.pricing.listRegions.query(), client.changelog.listEntries.query()]);
  expect(requested).toHaveLength(3);
  expect(new Set(requested).size).toBe(1);
});

test("a call is retried after the time in Retry-After, and not at all if that is long", async () => {
  const soon = await serveAfter([{ status: 503, headers: { "retry-after": "1" } }]);
  const schedule = vi.spyOn(globalThis, "setTimeout");
  await createCatalogClient({ url: soon.url }).pricing.listRegions.query();
  const waits = schedule.mock.calls.map(([, waitMs = 0]) => waitMs);
  schedule.mockRestore();
  expect(waits.filter((waitMs) => waitMs > 1000 && waitMs < 2000)).toHaveLength(1);
  expect(soon.requested).toHaveLength(2);

  const late = await serveAfter([{ status: 503, headers: { "retry-after": "11" } }]);
  const refused = createCatalogClient({ url: late.url }).pricing.listRegions.query();
  expect(await failureOf(refused)).toMatchObject({ code: "UNAVAILABLE", retryAfter: 11 });
  expect(late.requested).toHaveLength(1);
});

test("a mutation, and a read with a permanent failure, are not retried", async () => {
  const { url, requested } = await serveAfter([{ status: 503 }]);
  const saved = createCatalogClient({ url }).search.saveQuery.mutate({});
  expect(await failureOf(saved)).toMatchObject({ code: "UNAVAILABLE" });
  expect(requested).toHaveLength(1);

  let count = 0;
  const other = await serve((_request, response) => {
    count += 1;
    response.writeHead(404, json).end(JSON.stringify({ message: "No.", error: "NOT_FOUND" }));
  });
  const missing = createCatalogClient({ url: other }).pricing.listRegions.query();
  expect(await failureOf(missing)).toMatchObject({ code: "NOT_FOUND" });
  expect(count).toBe(1);
});

test("a call that is canceled while it waits for a retry fails at once, and is not sent", async () => {
  const { url, requested } = await serveAfter([{ status: 503, headers: { "retry-after": "9" } }]);
  const canceled = new AbortController();
  const client = createCatalogClient({
    url,
    fetch: async (...request) => {
      const response = await fetch(...request);
      setTimeout(() => canceled.abort(), 50);
      return response;
    },
  });
  const call = client.pricing.listRegions.query(undefined, { signal: canceled.signal });
  expect(await failureOf(call)).toMatchObject({ code: "CANCELED" });
  expect(requested).toHaveLength(1);
});

test("a result reports the services whose data is missing", async () => {
  const { url } = await serveAfter([]);
  expect(degradedOf(await createCatalogClient({ url }).pricing.listRegions.query())).toEqual([
    "pricing",
    "search",
  ]);
  expect(degradedOf([])).toEqual([]);
});

test("React Query adds no retries to those of the client", async () => {
  const { url, requested } = await serveAfter(Array.from({ length: 20 }, () => ({ status: 503 })));
  const client = createCatalogClient({ url });
  const failing = new QueryClient().fetchQuery({
    queryKey: [],
    queryFn: () => client.pricing.listRegions.query(),
    retry: retryCatalogErrors,
  });
  expect(await failureOf(failing)).toMatchObject({ status: 503 });
  expect(requested).toHaveLength(3);
});
