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

test("a few hundred ranks are looked through, and all only when too few are discounted", async () => {
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
  expect(json).toContainEqual({ region: "AU", currencyCode: "AUD", countries: ["AU"] });
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
