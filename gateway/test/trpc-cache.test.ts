import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { beforeEach, expect, test, vi } from "vitest";
import type { AppRouter } from "../src/index.ts";
import { savedQueryId } from "./support/search.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const uncached = useStack();

// Some responses are cached for less than a second, which one request may take on a busy machine.
beforeEach(() => {
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  return () => vi.restoreAllMocks();
});

const urlOf = (procedure: string, input: object) =>
  `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;

const ask = async (procedure: string, input: object) => await stack().ask(urlOf(procedure, input));

const callsOf = (method: string) =>
  stack().services.calls.filter((call) => call.method === method).length;

const reads: [procedure: string, input: object, path: string][] = [
  ["catalog.getOffer", { id: "full", country: "de" }, "/offers/full?country=DE"],
  ["pricing.listPriceChanges", { region: "us" }, "/price-changes?region=US"],
  ["search.getSavedQuery", { id: savedQueryId }, `/search/${savedQueryId}`],
];

test.for(reads)(
  "%s has the same response when it is made, cached, and cached by way of REST",
  async ([procedure, input, path]) => {
    const plain = await uncached().ask(urlOf(procedure, input));
    expect(plain.status).toBe(200);
    const made = await ask(procedure, input);
    const calls = stack().services.calls.length;
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    const cached = await ask(procedure, input);
    const byRest = await stack().ask(path);
    expect(made.json).toEqual(plain.json);
    expect(cached.text).toBe(made.text);
    expect(cached.json).toHaveProperty("result.data", byRest.json);
    expect(byRest.headers["cache-control"]).toMatch(/public/);
    for (const name of ["cache-control", "age"]) {
      expect(cached.headers[name]).toBe(byRest.headers[name]);
    }
    for (const { headers } of [plain, made, cached]) {
      expect(headers["vary"]).toBe(`trpc-accept, Accept, ${byRest.headers["vary"]}`);
    }
    expect(stack().services.calls).toHaveLength(calls);
  },
);

test.for([
  ["with a cache", stack],
  ["without one", uncached],
] as const)("%s, a client that has a response is not sent it again", async ([, current]) => {
  const path = urlOf("catalog.getOffer", { id: "full" });
  const first = await current().ask(path);
  const etag = String(first.headers["etag"]);
  for (const method of ["GET", "HEAD"]) {
    const again = await current().ask(path, { method, headers: { "if-none-match": etag } });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: "" });
    expect(again.headers["etag"]).toBe(etag);
    expect(again.headers["cache-control"]).toBe(first.headers["cache-control"]);
  }
  const other = await current().ask(path, { headers: { "if-none-match": '"other"' } });
  expect(other.text).toBe(first.text);
  const head = await current().ask(path, { method: "HEAD" });
  expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(first.text)));
  const byRest = await current().ask("/offers/full", { headers: { "if-none-match": etag } });
  expect(byRest.status).toBe(200);
});

test("a cached response is compressed for clients that accept it, with a tag of its own", async () => {
  const path = urlOf("pricing.listRegions", {});
  const plain = await ask("pricing.listRegions", {});
  const headers = { "accept-encoding": "br" };
  const compressed = await stack().ask(path, { headers });
  expect(compressed.headers["content-encoding"]).toBe("br");
  expect(compressed.headers["etag"]).not.toBe(plain.headers["etag"]);
  const had = { ...headers, "if-none-match": String(compressed.headers["etag"]) };
  expect((await stack().ask(path, { headers: had })).status).toBe(304);
});

test.for([{ "trpc-accept": "application/jsonl" }, { accept: "text/html, application/jsonl" }])(
  "a request for a stream by %j gets one, whatever is cached",
  async (headers) => {
    const path = urlOf("catalog.listItems", {});
    const first = await stack().ask(path, { headers });
    expect(first.headers["etag"]).toBeUndefined();
    const plain = await ask("catalog.listItems", {});
    const again = await stack().ask(path, { headers });
    expect(again.headers["etag"]).toBeUndefined();
    expect(again.text).toBe(first.text);
    expect(again.text).not.toBe(plain.text);
  },
);

test("a failed query has the same response as without a cache, and is not stored", async () => {
  for (const [procedure, input] of [
    ["catalog.getOffer", { id: "nope" }],
    ["catalog.getOffer", { id: "" }],
    ["catalog.getOffer", []],
    ["catalog.nothing", {}],
    ["catalog.getItem", { id: "defect" }],
  ] as const) {
    const cached = await ask(procedure, input);
    const plain = await uncached().ask(urlOf(procedure, input));
    expect(cached.status).toBeGreaterThanOrEqual(400);
    expect({ status: cached.status, json: cached.json }).toEqual({
      status: plain.status,
      json: plain.json,
    });
    expect(cached.headers["cache-control"]).toBe("no-store");
    const head = await stack().ask(urlOf(procedure, input), { method: "HEAD" });
    expect(head.text).toBe("");
  }
});

test("concurrent equal reads are one call, whichever surface they use", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("listItems", () => promise);
  const asking = Array.from({ length: 20 }, () => ask("catalog.listItems", { limit: 7 }));
  const byRest = stack().ask("/items?limit=7");
  await vi.waitUntil(() => callsOf("listItems") > 0);
  await stack().ask("/regions");
  resolve();
  const responses = await Promise.all(asking);
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses[0]?.json).toHaveProperty("result.data", (await byRest).json);
  expect(callsOf("listItems")).toBe(1);
});

test("the calls of a batch are served from the cache independently", async () => {
  for (const path of ["/offers/full", "/items/item"]) await stack().ask(path);
  stack().services.reset();
  const client = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${stack().url}/trpc` })],
  });
  const [offer, item, missing] = await Promise.allSettled([
    client.catalog.getOffer.query({ id: "full" }),
    client.catalog.getItem.query({ id: "item" }),
    client.catalog.getOffer.query({ id: "nope" }),
  ]);
  const batch = await stack().ask(
    `/trpc/catalog.getItem?batch=1&input=%7B"0":%7B"id":"item"%7D%7D`,
  );
  expect(batch.headers).toMatchObject({ "cache-control": "no-cache" });
  expect(batch.headers["etag"]).toBeUndefined();
  expect(offer).toMatchObject({ status: "fulfilled", value: { id: "full" } });
  expect(item).toMatchObject({ status: "fulfilled", value: { id: "item" } });
  expect(missing).toMatchObject({ status: "rejected", reason: { message: "Offer not found" } });
  expect(callsOf("getItem")).toBe(0);
  expect(callsOf("batchGetOffers")).toBe(1);
});

test("the country of a cookie is used", async () => {
  await stack().ask("/offers/full/price");
  const path = urlOf("pricing.getPrice", { id: "full" });
  const plain = await stack().ask(path);
  for (const current of [stack(), stack(), uncached()]) {
    const { json, headers } = await current.ask(path, {
      headers: { cookie: "CATALOG_COUNTRY=de", "if-none-match": String(plain.headers["etag"]) },
    });
    expect(json).toHaveProperty("result.data.region", "EURO");
    expect(headers["cache-control"]).toBe("private, max-age=60");
    expect(headers["vary"]).toContain("Cookie");
  }
});

test("a degraded or slow response has the headers of REST", async () => {
  stack().services.interfere.set("batchGetPrices", () => Promise.reject(new Error("down")));
  const { headers } = await ask("catalog.getOffer", { id: "bare" });
  expect(headers["catalog-degraded"]).toBe("pricing");
  expect(headers["cache-control"]).toBe("no-store");
  const batch = await stack().ask(`/trpc/catalog.getOffer?batch=1&input={"0":{"id":"bare"}}`);
  expect(batch.headers).toMatchObject({
    "catalog-degraded": "pricing",
    "cache-control": "no-store",
  });
  expect(headers["server-timing"]).toContain("catalog.BatchGetOffers");
});

test.for([
  ["health.checkHealth", {}],
  ["search.searchOffersByMeaning", { query: "calm" }],
] as const)("%s may not be stored, alone and in a batch", async ([procedure, input]) => {
  for (const current of [stack(), uncached()]) {
    const joined = encodeURIComponent(JSON.stringify({ 0: input, 1: { id: "item" } }));
    for (const path of [
      urlOf(procedure, input),
      `/trpc/${procedure},catalog.getItem?batch=1&input=${joined}`,
    ]) {
      const { status, headers } = await current.ask(path);
      expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    }
  }
});
