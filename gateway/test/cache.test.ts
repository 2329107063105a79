import { beforeEach, expect, test, vi } from "vitest";
import { hold } from "./support/held-calls.ts";
import { post, postText } from "./support/http-client.ts";
import type { HttpResponse } from "./support/http-client.ts";
import { savedQueryId, searchPath } from "./support/search.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();

// Some responses are cached for less than a second, which one request may take on a busy machine.
beforeEach(() => {
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  return () => vi.restoreAllMocks();
});

/** Repeats a request until the response comes from the cache. */
async function warm(path: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
  return await vi.waitUntil(async () => {
    const response = await stack().ask(path, { headers });
    return isHit(response) && response;
  });
}

const isHit = ({ headers }: HttpResponse) => headers["age"] !== undefined;

const everyGet = [
  "/sandboxes/room",
  "/sandboxes/room/changelog",
  "/sandboxes/room/assets",
  "/sandboxes/room/offers?locale=de-DE",
  "/items",
  "/items/item",
  "/items/item/changelog",
  "/items/item/offer",
  "/items/item/builds",
  "/offers/full",
  "/offers/full?country=DE&locale=de-DE",
  "/offers/full/reviews",
  "/offers/full/overview",
  "/offers/full/collection",
  "/offers/full/price",
  "/offers/full/price-history",
  "/offers/featured-discounts",
  "/free-games/mobile",
  "/free-games/sellers",
  "/search/changelog",
  "/search/changelog?query=full",
  `/search/${savedQueryId}`,
  `/search/${savedQueryId}/count`,
  "/changelist",
  "/changelist?after=e1",
  "/changelist/e2",
  "/regions",
  "/openapi.json",
];

const countsAsDefault = [
  { path: searchPath, method: "searchOffers", options: post({ aggregations: false }) },
  { path: `/search/${savedQueryId}/count`, method: "countFacets", options: {} },
  { path: `/search/${savedQueryId}/feed.atom`, method: "listQueryEvents", options: {} },
  { path: `/search/${savedQueryId}/feed.json`, method: "listQueryEvents", options: {} },
];

test.for(countsAsDefault)(
  "$path shares the response for US with countries in no region",
  async ({ path, method, options }) => {
    const inUs = await stack().ask(`${path}?country=US`, options);
    const cookie = { ...options, headers: { ...options.headers, cookie: "CATALOG_COUNTRY=ZZ" } };
    for (const again of [
      await stack().ask(`${path}?country=ZZ`, options),
      await stack().ask(`${path}?country=QQ`, options),
      await stack().ask(path, cookie),
    ]) {
      expect([again.status, again.headers["age"]]).toEqual([200, "0"]);
      expect(again.text.replace('"cached":true', '"cached":false')).toBe(inUs.text);
    }
    expect(stack().services.calls.filter((call) => call.method === method)).toHaveLength(1);
  },
);

test.for(everyGet)("%s is the same from the cache, and costs no call", async (path) => {
  const made = await vi.waitFor(async () => {
    const response = await stack().ask(path);
    // A busy machine may miss the budget of a part; a response that lacks one is not cached.
    expect(response.headers).not.toHaveProperty("catalog-degraded");
    return response;
  });
  const calls = stack().services.calls.length;
  const cached = await stack().ask(path);
  expect(made.headers).not.toHaveProperty("age");
  expect(cached.headers["age"]).toBe("0");
  expect(cached.bytes.equals(made.bytes)).toBe(true);
  const {
    "server-timing": _timing,
    "x-request-id": _madeId,
    date: _madeAt,
    ...same
  } = made.headers;
  const { age: _age, "x-request-id": _cachedId, date: _cachedAt, ...alike } = cached.headers;
  expect(alike).toEqual(same);
  expect(stack().services.calls).toHaveLength(calls);
});

test.for(["/health", "/offers/nope", "/search/natural-language"])(
  "%s is never cached",
  async (path) => {
    for (let time = 0; time < 3; time++) expect(isHit(await stack().ask(path))).toBe(false);
  },
);

test("a degraded response is not cached", async () => {
  stack().services.interfere.set("batchGetPrices", () => Promise.reject(new Error("broken")));
  const degraded = await stack().ask("/offers/bare");
  expect(degraded.headers["catalog-degraded"]).toBe("pricing");
  stack().services.interfere.clear();
  const whole = await stack().ask("/offers/bare");
  expect(isHit(whole)).toBe(false);
  expect(whole.headers).not.toHaveProperty("catalog-degraded");
});

test("requests that differ in spelling, order or unknown parameters share a response", async () => {
  await warm("/offers/full?locale=fr-FR&country=US");
  for (const path of [
    "/offers/full?country=US&locale=fr-FR",
    "/offers/full?locale=FR-fr",
    "/offers/full?locale=fr-FR&country=us&utm_source=x",
    "/offers/%66ull?locale=fr-FR&country=",
  ]) {
    expect(isHit(await stack().ask(path))).toBe(true);
  }
  expect(isHit(await stack().ask("/offers/full?locale=es-ES"))).toBe(false);
});

test("countries of a region share responses, unless these depend on the country", async () => {
  await warm("/offers/full?country=FR");
  expect(isHit(await stack().ask("/offers/full?country=AT"))).toBe(true);
  await warm("/offers/full/price?country=DE");
  expect((await stack().ask("/offers/full/price?country=AT")).status).toBe(404);
  expect((await stack().ask("/offers/full?country=XX")).status).toBe(404);
});

test("the country of a cookie is used, and makes the response private", async () => {
  const german = { cookie: "a=b; CATALOG_COUNTRY=de" };
  const cached = await warm("/offers/full/price", german);
  expect(cached.json).toMatchObject({ region: "EURO" });
  expect(cached.headers["cache-control"]).toBe("private, max-age=60");
  expect(cached.headers.vary).toBe("Accept-Encoding, Cookie");
  const plain = await warm("/offers/full/price");
  expect(plain.json).toMatchObject({ region: "US" });
  expect(plain.headers["cache-control"]).toContain("public");
  const named = await stack().ask("/offers/full/price?country=US", { headers: german });
  expect(isHit(named)).toBe(true);
  expect(named.headers["cache-control"]).toContain("public");
  const unknown = await stack().ask("/offers/full/price", {
    headers: { cookie: "CATALOG_COUNTRY=XX" },
  });
  expect(unknown.status).toBe(404);
});

test("hits support HEAD, conditions and codings", async () => {
  const plain = await warm("/offers/full?locale=de-DE");
  const head = await stack().ask("/offers/full?locale=de-DE", { method: "HEAD" });
  expect([head.status, head.bytes.length, isHit(head)]).toEqual([200, 0, true]);
  expect(head.headers["content-length"]).toBe(plain.headers["content-length"]);
  for (const coding of ["br", "gzip"]) {
    const headers = { "accept-encoding": coding };
    const coded = await warm("/offers/full?locale=de-DE", headers);
    expect(coded.headers["content-encoding"]).toBe(coding);
    expect(coded.text).toBe(plain.text);
    const condition = { ...headers, "if-none-match": coded.headers.etag ?? "" };
    const unchanged = await stack().ask("/offers/full?locale=de-DE", { headers: condition });
    expect([unchanged.status, unchanged.bytes.length, isHit(unchanged)]).toEqual([304, 0, true]);
    expect(unchanged.headers).not.toHaveProperty("content-encoding");
    expect(unchanged.headers["cache-control"]).toBe(coded.headers["cache-control"]);
    const other = await stack().ask("/offers/full?locale=de-DE", {
      headers: { "if-none-match": coded.headers.etag ?? "" },
    });
    expect(other.status).toBe(200);
  }
});

test("a request id is echoed on a hit, and invalid requests are refused despite a hit", async () => {
  await warm("/items");
  const cached = await stack().ask("/items", { headers: { "x-request-id": "mine" } });
  expect(cached.headers["x-request-id"]).toBe("mine");
  expect((await stack().ask("/items", { headers: { expect: "tea" } })).status).toBe(400);
  expect((await stack().ask("/items", { method: "DELETE" })).status).toBe(405);
  expect((await stack().ask("/items?limit=0")).status).toBe(400);
  expect((await stack().ask("/items?limit=1&limit=1")).status).toBe(400);
});

test("a missing record is looked up once for all requests within a second", async () => {
  for (let time = 0; time < 20; time++) {
    expect((await stack().ask("/offers/nope")).json).toMatchObject({ error: "NOT_FOUND" });
    expect((await stack().ask("/items/nope?x=y")).status).toBe(404);
  }
  const methods = stack().services.calls.map(({ method }) => method);
  expect(methods.filter((method) => method === "batchGetOffers")).toHaveLength(1);
  expect(methods.filter((method) => method === "getItem")).toHaveLength(1);
});

test("concurrent requests for the health share one probe of each service", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("checkHealth", () => promise);
  const asking = Array.from({ length: 20 }, () => stack().ask("/health"));
  await vi.waitUntil(() => stack().services.calls.length >= 5);
  await stack().ask("/regions");
  resolve();
  for (const { status } of await Promise.all(asking)) expect(status).toBe(200);
  expect(stack().services.calls).toHaveLength(5);
});

test("a search says whether it comes from the cache, and is otherwise the same", async () => {
  const search = async (body: string) => await stack().ask("/search/v2/search", postText(body));
  const made = await search('{"title":"moon","limit":10}');
  expect(made.json).toMatchObject({ meta: { cached: false } });
  const cached = await search('{"limit":10,"page":1,"title":"moon","unknown":1}');
  expect(cached.json).toMatchObject({ meta: { cached: true } });
  expect(isHit(cached)).toBe(true);
  expect(cached.headers["cache-control"]).toBe("no-cache");
  expect(cached.text.replace('"cached":true', '"cached":false')).toBe(made.text);
  for (const other of ['{"title":"sun"}', '{"title":"moon","highlight":true}']) {
    expect((await search(other)).json).toMatchObject({ meta: { cached: false } });
  }
});

test("POSTs other than the search are never served from the cache", async () => {
  for (let time = 0; time < 2; time++) {
    expect(isHit(await stack().ask("/offers/exists", post({ offers: ["full"] })))).toBe(false);
    expect(isHit(await stack().ask("/search", post({})))).toBe(false);
  }
});

test("equal searches share a call that has just begun, and no older one", async () => {
  vi.spyOn(performance, "now").mockReturnValue(Math.round(performance.now()));
  const { begun, release } = hold(stack(), "searchOffers");
  const search = () => stack().ask(searchPath, post({ aggregations: false }));
  const first = search();
  await vi.waitUntil(() => begun().length === 1);
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1500);
  const later = [search(), search()];
  await vi.waitUntil(() => begun().length === 2);
  release();
  const responses = await Promise.all([first, ...later]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  // A search that joins up to 0.8 s later may wait as long as the first one.
  const timeouts = begun().map(({ headers }) => headers.get("connect-timeout-ms"));
  expect(timeouts).toEqual(["5800", "5800"]);
});
