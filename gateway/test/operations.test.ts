import { expect, test, onTestFinished } from "vitest";
import { records } from "./support/records.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test("a limit above the cap is lowered to it, and the effective one is echoed", async () => {
  for (const limit of ["101", "99999999999999999999"]) {
    const { json } = await stack().ask(`/sandboxes/room/assets?limit=${limit}`);
    expect(json).toMatchObject({ page: 1, limit: 100 });
  }
  expect((await stack().ask("/items?limit=51")).json).toMatchObject({ limit: 50 });
});

test("identifiers are percent-decoded", async () => {
  const { status, json } = await stack().ask("/offers/a%2Fb%20%C3%BC");
  expect(status).toBe(200);
  expect(json).toHaveProperty("id", "a/b ü");
});

test("a few hundred ranks are read, and all only when too few are discounted", async () => {
  const pageSizes = () =>
    stack().services.calls.flatMap(({ method, request }) =>
      method === "listRankedOffers" ? [request["pageSize"]] : [],
    );
  await stack().ask("/offers/featured-discounts");
  expect(pageSizes()).toEqual([500]);
  const others = Array.from({ length: 600 }, (_, index) => `other-${index}`);
  records.ranking.unshift(...others);
  onTestFinished(() => void records.ranking.splice(0, others.length));
  const { json } = await stack().ask("/offers/featured-discounts");
  expect(json).toMatchObject([{ id: "full", position: 602 }]);
  expect(pageSizes()).toEqual([500, 500, 10_000]);
});

test("the price of a giveaway's offer is its last member", async () => {
  const { json } = await stack().ask("/free-games/mobile");
  expect((json as object[]).map((entry) => Object.keys(entry).at(-1))).toEqual(["price"]);
});

test.each([
  ["?state=gone", "state must be one of current, upcoming, past."],
  ["?platform=ios,windows", "platform must be some of desktop, android, ios, separated by commas."],
])("giveaways with %s are refused with the rule", async (query, message) => {
  const { status, json } = await stack().ask(`/free-games${query}`);
  expect([status, json]).toEqual([400, { message, error: "INVALID_ARGUMENT" }]);
});

test("regions are a bare array of all 52", async () => {
  const { json } = await stack().ask("/regions");
  expect(json).toHaveLength(52);
  expect(json).toContainEqual({
    region: "AU",
    currencyCode: "AUD",
    currencyDecimals: 2,
    countries: ["AU"],
  });
});

test("health names every part and its latency, and is never cached", async () => {
  const { status, json, headers } = await stack().ask("/health");
  expect(status).toBe(200);
  const ok = { status: "ok", latency: expect.any(Number) };
  expect(json).toEqual({
    status: "ok",
    services: {
      cache: ok,
      database: { status: "ok", latency: 1.25 },
      catalog: ok,
      pricing: ok,
      reviews: ok,
      changelog: ok,
      search: ok,
    },
  });
  expect(headers["cache-control"]).toBe("no-store");
});

test("all offers and sandboxes are listed by id, each part from the `next` of the one before", async () => {
  for (const [path, name] of [
    ["/offers?country=DE", "offers"],
    ["/sandboxes?", "sandboxes"],
  ] as const) {
    const before = stack().services.calls.length;
    const { json: part } = await stack().ask(`${path}&limit=2&updatedSince=2026-01-01`);
    const { next, [name]: listed } = Object(part) as { next: string; [name: string]: unknown };
    const { json: last } = await stack().ask(`${path}&limit=200&after=${next}`);
    expect(last).toMatchObject({ next: null, [name]: listed });
    const [first, second] = stack()
      .services.calls.slice(before)
      .flatMap(({ method, request }) => (/^list(Offers|Sandboxes)$/.test(method) ? [request] : []));
    expect(first).toMatchObject({ afterId: "", pageSize: 2, changedSince: expect.anything() });
    const [{ id: lastId } = { id: "" }] = (listed as { id: string }[]).slice(-1);
    expect(second).toMatchObject({ afterId: lastId, pageSize: 200 });
  }
});

test("listed offers have their price and text, and may be of several types", async () => {
  const { json } = await stack().ask("/offers?offerType=DLC&offerType=BASE_GAME&locale=de-DE");
  const single = await stack().ask("/offers/full?locale=de-DE");
  expect(Object(json)["offers"]).toContainEqual(single.json);
  const { request } =
    stack().services.calls.findLast(({ method }) => method === "listOffers") ?? {};
  expect(request).toMatchObject({ offerTypes: ["DLC", "BASE_GAME"] });
});

test.each([
  ["limit=201", "limit must be a whole number of 1 to 200."],
  ["after=a", "after must be the `next` of an earlier response."],
  ["after=a&after=b", "after must be given only once."],
  ["updatedSince=today", "updatedSince must be an ISO 8601 time"],
])("a listing with %s is refused", async (query, message) => {
  for (const path of ["/offers", "/sandboxes"]) {
    const { status, json } = await stack().ask(`${path}?${query}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ message: expect.stringContaining(message) });
  }
});
