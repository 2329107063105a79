import { unavailable } from "@storefront/rpc";
import { expect, test } from "vitest";
import { cachedResponses } from "./support/cached-responses.ts";
import { priceChange } from "./support/price-log.ts";
import { useCachingStack } from "./support/start-stack.ts";

const path = "/price-changes";
const stack = useCachingStack();
const { isHit, warm } = cachedResponses(stack);

const pageOf = async (query: string) => {
  const { status, json } = await stack().ask(path + query);
  expect(status).toBe(200);
  const { elements, next } = json as { elements: Record<string, unknown>[]; next: string };
  return { elements, next, ids: elements.map(({ id }) => id) };
};

test("a change shows both prices as prices are shown elsewhere, and the offer", async () => {
  const { elements } = await pageOf("?after=p2");
  const price = (discountPrice: number) => ({
    offerId: "full",
    region: "US",
    price: {
      currencyCode: "USD",
      currencyDecimals: 2,
      originalPrice: 1000,
      discountPrice,
      discount: 0,
      percentOff: 0,
    },
    updatedAt: null,
    appliedRules: [],
  });
  expect(elements).toEqual([
    {
      id: "p3",
      offerId: "full",
      region: "US",
      committedAt: "1970-01-01T00:00:00.003Z",
      observedAt: "1970-01-01T00:00:00.003Z",
      previousPrice: price(1000),
      price: price(500),
      isForgotten: false,
      offer: { title: "Full", namespace: "room" },
    },
    expect.objectContaining({ id: "p4", offerId: "orphan", price: null, offer: null }),
  ]);
});

test("changes are listed newest first, or after a change or since a time in the order of the log", async () => {
  expect(await pageOf("")).toMatchObject({ ids: ["p4", "p3", "p2", "p1"], next: "p4" });
  expect(await pageOf("?limit=1")).toMatchObject({ ids: ["p4"], next: "p4" });
  expect(await pageOf("?after=p1&limit=2")).toMatchObject({ ids: ["p2", "p3"], next: "p3" });
  expect(await pageOf("?after=p4")).toMatchObject({ ids: [], next: "p4" });
  expect(await pageOf("?since=1970-01-01T00:00:00.002Z")).toMatchObject({
    ids: ["p2", "p3", "p4"],
  });
});

test("a region is named by its code in any case, and tRPC has the same result", async () => {
  expect(await pageOf("?region=us")).toMatchObject({ ids: ["p4", "p3", "p1"] });
  expect(await pageOf("?region=EURO&after=p1")).toMatchObject({ ids: ["p2"] });
  const input = encodeURIComponent('{"region":"EURO"}');
  const called = await stack().ask(`/trpc/pricing.listPriceChanges?input=${input}`);
  const { json } = await stack().ask(`${path}?region=EURO`);
  expect(called.json).toEqual({ result: { data: json } });
});

test.for([
  [400, "?region=Narnia", "region must be the code of a pricing region such as US"],
  [400, "?after=p1&since=2026-01-01", "after must not be given together with since"],
  [404, "?after=nope", "Change not found"],
] as const)("%d for %s", async ([status, query, message]) => {
  const response = await stack().ask(path + query);
  expect(response.status).toBe(status);
  expect(response.json).toMatchObject({ message: expect.stringContaining(message) });
});

test("a change of a lost history is 404, with instructions", async () => {
  stack().services.prices.undo("p3");
  const { status, json } = await stack().ask(`${path}?after=p3`);
  expect([status, json]).toEqual([
    404,
    {
      message: "Change not found: its log was lost, or it never existed; restart without it",
      error: "NOT_FOUND",
    },
  ]);
});

test("without the catalog offers are null, and the response says so", async () => {
  stack().services.interfere.set("batchGetOffers", () =>
    Promise.reject(unavailable("database", new Error("down"))),
  );
  const { json, headers } = await stack().ask(`${path}?after=p3`);
  expect(json).toMatchObject({ elements: [{ id: "p4", offer: null }] });
  expect(headers["catalog-degraded"]).toBe("catalog");
});

test("a response is cached until a price is written in its region, or in any region for all of them", async () => {
  const all = path;
  const german = `${path}?region=EURO`;
  await warm(all);
  await warm(german);
  const { prices, feeds } = stack().services;
  prices.append(priceChange(5, "full", "US", { before: 500n, after: 400n }));
  feeds.pricing.commit({ kind: "price", key: ["full", "US"] });
  await expect.poll(() => isHit(all)).toBe(false);
  expect(await isHit(german)).toBe(true);
  expect((await pageOf("")).ids[0]).toBe("p5");
});
