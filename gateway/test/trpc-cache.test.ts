import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { beforeEach, expect, test, vi } from "vitest";
import type { AppRouter } from "../src/index.ts";
import { savedQueryId } from "./support/search.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const uncached = useStack();

// Some answers are kept for less than a second, which a busy machine may take for one request.
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
  ["catalog.getSandbox", { sandboxId: "room" }, "/sandboxes/room"],
  ["catalog.listSandboxAssets", { sandboxId: "room" }, "/sandboxes/room/assets"],
  [
    "catalog.listSandboxOffers",
    { sandboxId: "room", locale: "de-de" },
    "/sandboxes/room/offers?locale=de-DE",
  ],
  ["catalog.listItems", {}, "/items"],
  ["catalog.getItem", { id: "item" }, "/items/item"],
  ["catalog.getItemOffer", { id: "item" }, "/items/item/offer"],
  ["catalog.listItemBuilds", { id: "item" }, "/items/item/builds"],
  ["catalog.getOffer", { id: "full", country: "de" }, "/offers/full?country=DE"],
  ["catalog.getOfferOverview", { id: "full" }, "/offers/full/overview"],
  ["catalog.listOfferCollection", { id: "full" }, "/offers/full/collection"],
  ["pricing.getPrice", { id: "full" }, "/offers/full/price"],
  ["pricing.listPriceHistory", { id: "full" }, "/offers/full/price-history"],
  ["pricing.listFeaturedDiscounts", {}, "/offers/featured-discounts"],
  ["pricing.listMobileFreeGames", {}, "/free-games/mobile"],
  ["pricing.listFreeGameSellers", {}, "/free-games/sellers"],
  ["pricing.listRegions", {}, "/regions"],
  ["reviews.listReviews", { id: "full" }, "/offers/full/reviews"],
  ["search.getSavedQuery", { id: savedQueryId }, `/search/${savedQueryId}`],
  ["changelog.listEntries", {}, "/changelist"],
  ["changelog.getEntry", { id: "e2" }, "/changelist/e2"],
  ["changelog.searchEntries", { query: "full" }, "/search/changelog?query=full"],
  ["changelog.listSandboxEntries", { sandboxId: "room" }, "/sandboxes/room/changelog"],
  ["changelog.listItemEntries", { id: "item" }, "/items/item/changelog"],
];

test.for(reads)("%s is the same made, kept, and kept by REST", async ([procedure, input, path]) => {
  const plain = await uncached().ask(urlOf(procedure, input));
  expect(plain.status).toBe(200);
  const made = await ask(procedure, input);
  const calls = stack().services.calls.length;
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const kept = await ask(procedure, input);
  const byRest = await stack().ask(path);
  expect(made.json).toEqual(plain.json);
  expect(kept.text).toBe(made.text);
  expect(kept.json).toHaveProperty("result.data", byRest.json);
  expect(byRest.headers["cache-control"]).toMatch(/public/);
  expect(stack().services.calls).toHaveLength(calls);
});

test("many equal reads at once are one call, by whichever surface they come", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("listItems", () => promise);
  const asking = Array.from({ length: 20 }, () => ask("catalog.listItems", { limit: 7 }));
  const byRest = stack().ask("/items?limit=7");
  await vi.waitUntil(() => callsOf("listItems") > 0);
  await stack().ask("/regions");
  resolve();
  const answers = await Promise.all(asking);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.json).toHaveProperty("result.data", (await byRest).json);
  expect(callsOf("listItems")).toBe(1);
});

test("the calls of a batch are answered from what is kept, each by itself", async () => {
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
  expect(offer).toMatchObject({ status: "fulfilled", value: { id: "full" } });
  expect(item).toMatchObject({ status: "fulfilled", value: { id: "item" } });
  expect(missing).toMatchObject({ status: "rejected", reason: { message: "Offer not found" } });
  expect(callsOf("getItem")).toBe(0);
  expect(callsOf("batchGetOffers")).toBe(1);
});

test("the country of a cookie counts", async () => {
  await stack().ask("/offers/full/price");
  const { json } = await stack().ask(urlOf("pricing.getPrice", { id: "full" }), {
    headers: { cookie: "CATALOG_COUNTRY=de" },
  });
  expect(json).toHaveProperty("result.data.region", "EURO");
});

test("what is degraded or slow says so by the headers that REST has", async () => {
  stack().services.interfere.set("batchGetPrices", () => Promise.reject(new Error("down")));
  const { headers } = await ask("catalog.getOffer", { id: "bare" });
  expect(headers["catalog-degraded"]).toBe("pricing");
  expect(headers["server-timing"]).toContain("catalog.BatchGetOffers");
});
