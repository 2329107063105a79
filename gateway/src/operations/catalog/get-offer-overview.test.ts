import { asCountry } from "@storefront/domain/identifiers";
import { unavailable } from "@storefront/rpc";
import { expect, test } from "vitest";
import { ask } from "../../../test/support/http-client.ts";
import { useStack } from "../../../test/support/start-stack.ts";
import { ratingSystemOf } from "./get-offer-overview.ts";

const stack = useStack();

test.for([
  ["US", "ESRB"],
  ["CA", "ESRB"],
  ["MX", "ESRB"],
  ["DE", "USK"],
  ["FR", "PEGI"],
  ["GB", "PEGI"],
  ["JP", "CERO"],
  ["AU", "ACB"],
  ["BR", "ClassInd"],
  ["KR", "GRAC"],
  ["IN", "Generic"],
])("%s uses ratings by %s", ([country = "", system]) => {
  expect(ratingSystemOf(asCountry(country))).toBe(system);
});

const fail = () => Promise.reject(unavailable("database", new Error("down")));

test("without pricing the price is null, the giveaways are empty, and the rest is present", async () => {
  stack().services.interfere.set("batchGetPrices", fail);
  stack().services.interfere.set("listOfferGiveaways", fail);
  const { status, json, headers } = await stack().ask("/offers/full/overview");
  expect(status).toBe(200);
  expect(headers["catalog-degraded"]).toBe("pricing");
  expect(headers["cache-control"]).toBe("no-store");
  expect(json).toMatchObject({ price: null, giveaways: [], polls: { average: 4.5 } });
});

test("each part fails independently", async () => {
  stack().services.interfere.set("getOfferOverview", fail);
  const { status, json, headers } = await stack().ask("/offers/full/overview");
  expect(status).toBe(200);
  expect(headers["catalog-degraded"]).toBe("catalog");
  expect(json).toMatchObject({
    offer: { id: "full" },
    price: { region: "US" },
    giveaways: [{ id: "g1" }],
    media: null,
    features: null,
    ageRating: null,
    genres: [],
    technologies: [],
  });
});

test("without the offer itself there is no overview", async () => {
  stack().services.interfere.set("batchGetOffers", fail);
  expect((await stack().ask("/offers/full/overview")).status).toBe(503);
});

test("an unknown or unavailable offer does not wait for its lows", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("batchGetPrices", () => promise);
  expect((await stack().ask("/offers/nope/overview?lows=true")).status).toBe(404);
  stack().services.interfere.set("batchGetOffers", fail);
  expect((await stack().ask("/offers/full/overview?lows=true")).status).toBe(503);
  resolve();
});

test("slow parts are not awaited beyond their budget, and not at all for an unknown offer", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const method of ["getOfferOverview", "listOfferGiveaways", "batchGetPrices"]) {
    stack().services.interfere.set(method, () => promise);
  }
  const asked = ["full", "nope"].map((id) => ask(stack().url, `/offers/${id}/overview`));
  const first = await Promise.race(asked);
  const [slow] = await Promise.all(asked);
  resolve();
  expect(first.status).toBe(404);
  expect(slow?.status).toBe(200);
  expect(slow?.headers["catalog-degraded"]?.toString().split(", ").toSorted()).toEqual([
    "catalog",
    "pricing",
  ]);
});
