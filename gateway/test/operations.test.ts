import { expect, test, onTestFinished } from "vitest";
import { post } from "./support/http-client.ts";
import { records } from "./support/records.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test("1: a sandbox has its id under three names", async () => {
  const { status, json } = await stack().ask("/sandboxes/room");
  expect(status).toBe(200);
  expect(json).toMatchObject({
    _id: "room",
    id: "room",
    namespace: "room",
    title: "Room",
    displayName: null,
    updated: "2021-01-01T00:00:00.000Z",
  });
});

test("3: assets carry 64-bit sizes as numbers, and the page asked for is echoed", async () => {
  const { json } = await stack().ask(
    "/sandboxes/room/assets?platform=windows,%20Mac%20,&page=2&limit=5",
  );
  expect(json).toMatchObject({ page: 2, limit: 5, count: 1 });
  expect(json).toHaveProperty("elements.0.downloadSizeBytes", 9_007_199_254_740_991);
  expect(json).toHaveProperty("elements.0.title", null);
  expect(stack().services.calls[0]?.request).toMatchObject({
    platforms: ["windows", "Mac"],
    page: 2,
    pageSize: 5,
  });
});

test("3: a limit above the cap is lowered to it, and the effective one is echoed", async () => {
  for (const limit of ["101", "99999999999999999999"]) {
    const { json } = await stack().ask(`/sandboxes/room/assets?limit=${limit}`);
    expect(json).toMatchObject({ page: 1, limit: 100 });
  }
  expect((await stack().ask("/items?limit=51")).json).toMatchObject({ limit: 50 });
});

test("4: one list mixes localized and canonical offers, without prices, in one call", async () => {
  const { json } = await stack().ask(
    "/sandboxes/room/offers?locale=de-de&offerType=DLC,BASE_GAME&title=%C3%BCber",
  );
  expect(json).toMatchObject({ page: 1, limit: 10, count: 3 });
  expect(json).toHaveProperty("elements.0.title", "Voll");
  expect(json).toHaveProperty("elements.0.localeStatus", "localized");
  expect(json).toHaveProperty("elements.1.localeStatus", "fallback");
  expect(json).toHaveProperty("elements.1.canonicalLocale", "en-US");
  expect(json).not.toHaveProperty("elements.0.price");
  expect(stack().services.calls).toHaveLength(1);
  expect(stack().services.calls[0]?.request).toMatchObject({
    offerTypes: ["DLC", "BASE_GAME"],
    title: "über",
    locale: "de-DE",
  });
});

test("5: items are summaries with a total", async () => {
  const { json } = await stack().ask("/items");
  expect(json).toMatchObject({ page: 1, limit: 10, total: 1 });
  expect(json).toHaveProperty("elements.0.releaseInfo.0.appId", "app");
  expect(json).not.toHaveProperty("elements.0.description");
});

test("an item has all its members", async () => {
  const { json } = await stack().ask("/items/item");
  expect(json).toMatchObject({ id: "item", endOfSupport: false, developer: null, eulaIds: ["e"] });
});

test("7: the offer of an item is localized and has no price", async () => {
  const { json } = await stack().ask("/items/item/offer?locale=de-DE");
  expect(json).toMatchObject({ id: "full", title: "Voll", localeStatus: "localized" });
  expect(json).not.toHaveProperty("price");
});

test("8: builds fall back to when they were made and changed, and carry the item", async () => {
  const { json } = await stack().ask("/items/item/builds");
  expect(json).toMatchObject([
    {
      id: "b1",
      _id: "b1",
      platform: "Windows",
      firstSeenAt: "2020-01-01T00:00:00.000Z",
      lastSeenAt: "2020-06-01T00:00:00.000Z",
      downloadSizeBytes: 5,
      installedSizeBytes: null,
      manifest: { status: "verified", fileCount: 7, errorCode: null },
      comparable: true,
      sameStream: true,
      item: { id: "item" },
    },
    { id: "b2", platform: null, manifest: { status: "legacy_unverified" }, technologies: [] },
    { id: "b3" },
  ]);
});

test("8: the hash of a manifest is its own, else the build's, else unknown", async () => {
  const { json } = await stack().ask("/items/item/builds");
  expect(json).toMatchObject([
    { hash: "h1", manifest: { sourceHash: "h1" } },
    { hash: null, manifest: { sourceHash: null } },
    { hash: "h3", manifest: { sourceHash: "s3" } },
  ]);
});

test("an offer has its price in the region of the country, or null", async () => {
  const us = await stack().ask("/offers/full");
  expect(us.json).toMatchObject({
    id: "full",
    effectiveDate: "2020-01-02T03:04:05.678Z",
    price: {
      offerId: "full",
      region: "US",
      price: { currencyCode: "USD", originalPrice: 1999, discountPrice: 999, discount: 1000 },
      updatedAt: "2026-05-04T03:02:01.500Z",
    },
  });
  expect((await stack().ask("/offers/full?country=de")).json).toHaveProperty(
    "price.region",
    "EURO",
  );
  expect((await stack().ask("/offers/full?country=JP")).json).toHaveProperty("price", null);
});

test("an offer of which only the id is known has nulls and empty lists", async () => {
  const { json } = await stack().ask("/offers/bare");
  expect(json).toMatchObject({
    id: "bare",
    title: null,
    seller: null,
    tags: [],
    keyImages: [],
    offerMappings: [],
    releaseDate: null,
    prePurchase: null,
    locale: "en-US",
    localeStatus: "canonical",
  });
  expect(json).not.toHaveProperty("canonicalLocale");
  expect(json).not.toHaveProperty("localization");
});

test("identifiers are percent-decoded", async () => {
  const { status, json } = await stack().ask("/offers/a%2Fb%20%C3%BC");
  expect(status).toBe(200);
  expect(json).toHaveProperty("id", "a/b ü");
});

test("11: a collection keeps its order, drops unknown offers and prices each", async () => {
  const { json } = await stack().ask("/offers/full/collection?locale=de-DE");
  expect(json).toMatchObject([
    { id: "bare", price: null, localeStatus: "fallback" },
    { id: "full", title: "Voll", price: { region: "US" } },
  ]);
});

test("12: a price is hidden where the offer is not sold", async () => {
  expect((await stack().ask("/offers/full/price?country=DE")).json).toHaveProperty(
    "region",
    "EURO",
  );
  for (const country of ["CN", "GB", "JP"]) {
    const { status, json } = await stack().ask(`/offers/full/price?country=${country}`);
    expect(status).toBe(404);
    expect(json).toEqual({ message: "Price not found", error: "NOT_FOUND" });
  }
});

test("12: a price of an unknown offer is not found, although it is stored", async () => {
  expect((await stack().ask("/offers/orphan/price")).status).toBe(404);
});

test("13: featured discounts are known, ranked and discounted", async () => {
  const { json } = await stack().ask("/offers/featured-discounts");
  expect(json).toMatchObject([{ id: "full", position: 2, price: { price: { discount: 1000 } } }]);
  expect((await stack().ask("/offers/featured-discounts?country=DE")).json).toEqual([]);
});

test("13: a few hundred ranks are looked through, and all only when too few are discounted", async () => {
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

test("14: one row for each slug, in order, duplicates kept", async () => {
  const { json } = await stack().ask(
    "/offers/slugs",
    post({ slugs: ["x", "full", "x", ""], y: 1 }),
  );
  expect(json).toEqual([
    { slug: "x", id: null, namespace: null },
    { slug: "full", id: "full", namespace: "room" },
    { slug: "x", id: null, namespace: null },
    { slug: "", id: null, namespace: null },
  ]);
});

test("15: ids are parted in their order, each once; none may be given", async () => {
  const { json } = await stack().ask(
    "/offers/exists",
    post({ offers: ["z", "bare", "a", "z", "full"] }),
  );
  expect(json).toEqual({ existingOffers: ["bare", "full"], nonExistingOffers: ["z", "a"] });
  const none = await stack().ask("/offers/exists", post({ offers: [] }));
  expect(none.json).toEqual({ existingOffers: [], nonExistingOffers: [] });
});

test("16: giveaways take missing texts from the canonical offer; the price is the last member", async () => {
  const { json } = await stack().ask("/free-games/mobile?locale=de-DE");
  expect(json).toMatchObject([
    {
      id: "full",
      title: "Voll",
      countriesBlacklist: ["CN"],
      giveaway: {
        id: "g1",
        platform: "android",
        title: "Full",
        namespace: "room",
        historical: [{ id: "g0", platform: null, endDate: null }],
      },
      price: { region: "US" },
    },
  ]);
  for (const entry of json as object[]) expect(Object.keys(entry).at(-1)).toBe("price");
});

test("16: a giveaway whose offer is unknown, or that names none, is left out", async () => {
  const { json } = await stack().ask("/free-games/mobile");
  expect(records.giveaways.map(({ id }) => id)).toEqual(["g1", "g2", "g3"]);
  expect(json).toMatchObject([{ giveaway: { id: "g1" } }]);
});

test("sellers of free games are counted, also those without a name", async () => {
  const { json } = await stack().ask("/free-games/sellers");
  expect(json).toEqual([
    { sellerId: "s1", sellerName: "Seller", totalSingleGames: 2 },
    { sellerId: null, sellerName: null, totalSingleGames: 1 },
  ]);
});

test("regions are a bare array of all 52", async () => {
  const { json } = await stack().ask("/regions");
  expect(json).toHaveLength(52);
  expect(json).toContainEqual({ region: "AU", currencyCode: "AUD", countries: ["AU"] });
});

test("20: health names every part and its latency, and is never kept", async () => {
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
