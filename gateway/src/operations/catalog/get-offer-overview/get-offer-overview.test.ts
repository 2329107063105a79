import { asCountry } from "@storefront/identifiers";
import { unavailable } from "@storefront/rpc";
import { expect, test } from "vitest";
import { ask } from "../../../../test/support/http-client.ts";
import { useStack } from "../../../../test/support/start-stack.ts";
import { ratingSystemOf } from "./rating-system.ts";

const stack = useStack();

test("an overview has the offer without a price inside, and everything about it beside", async () => {
  const { status, json, headers } = await stack().ask("/offers/full/overview");
  expect(status).toBe(200);
  expect(headers["catalog-degraded"]).toBeUndefined();
  expect(headers.vary).toContain("Cookie");
  expect(json).toMatchObject({
    offer: { id: "full", title: "Full", localeStatus: "canonical" },
    price: { offerId: "full", region: "US", price: { discount: 1000 } },
    media: { images: [{ src: "/1.png" }, null], videos: [] },
    extdb: null,
    features: { features: ["Co-op"], epicFeatures: ["t4"] },
    ageRating: { ESRB: { gameRating: "T", ageControl: 13 } },
    giveaways: [{ id: "g1", title: "Full", namespace: "room" }],
    polls: { average: 4.5 },
    technologies: [
      { section: "Engine", technology: "Unity" },
      { section: null, technology: "FMOD" },
    ],
  });
  expect(json).not.toHaveProperty("offer.price");
});

test("genres are named as the offer names them, in the locale asked for", async () => {
  const genresIn = async (locale: string) =>
    (await stack().ask(`/offers/full/overview?locale=${locale}`)).json;
  // The offer does not name t2: its own name stands in.
  const own = { id: "t2", name: "Own" };
  expect(await genresIn("en-US")).toHaveProperty("genres", [own, { id: "t1", name: "Tag" }]);
  expect(await genresIn("de-DE")).toHaveProperty("genres", [own, { id: "t1", name: "Marke" }]);
  // This text empties the tags, which does not take the genres away.
  expect(await genresIn("fr-FR")).toHaveProperty("genres", [own, { id: "t1", name: "Tag" }]);
});

test("the age rating is that of the country's system alone, null when there is none", async () => {
  const ratingIn = async (country: string) =>
    (await stack().ask(`/offers/full/overview?country=${country}`)).json;
  expect(await ratingIn("de")).toHaveProperty("ageRating", {
    USK: { gameRating: "12", descriptor: null },
  });
  expect(await ratingIn("FR")).toHaveProperty("ageRating", null);
});

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
])("%s rates by %s", ([country = "", system]) => {
  expect(ratingSystemOf(asCountry(country))).toBe(system);
});

test("the price is shown also where the offer is not sold, and is null where there is none", async () => {
  expect((await stack().ask("/offers/full/overview?country=CN")).json).toHaveProperty(
    "price.region",
    "CN2",
  );
  expect((await stack().ask("/offers/full/overview?country=JP")).json).toHaveProperty(
    "price",
    null,
  );
});

test("the overview of an offer of which nothing else is known is empty", async () => {
  const { json, headers } = await stack().ask("/offers/bare/overview");
  expect(json).toMatchObject({
    offer: { id: "bare" },
    price: null,
    media: null,
    extdb: null,
    features: { features: [], epicFeatures: [] },
    ageRating: null,
    giveaways: [],
    polls: null,
    genres: [],
    technologies: [],
  });
  expect(headers["catalog-degraded"]).toBeUndefined();
});

test("an unknown country comes before an unknown offer, and both are not found", async () => {
  const country = await stack().ask("/offers/nope/overview?country=XX");
  expect(country.json).toEqual({ message: "Country not found", error: "NOT_FOUND" });
  const offer = await stack().ask("/offers/nope/overview");
  expect(offer.status).toBe(404);
  expect(offer.json).toEqual({ message: "Offer not found", error: "NOT_FOUND" });
});

const fail = () => Promise.reject(unavailable("database", new Error("down")));

test("without pricing the price is null, the giveaways are empty, and all else is there", async () => {
  stack().services.interfere.set("batchGetPrices", fail);
  stack().services.interfere.set("listOfferGiveaways", fail);
  const { status, json, headers } = await stack().ask("/offers/full/overview");
  expect(status).toBe(200);
  expect(headers["catalog-degraded"]).toBe("pricing");
  expect(headers["cache-control"]).toBe("no-store");
  expect(json).toMatchObject({ price: null, giveaways: [], polls: { average: 4.5 } });
});

test("each part fails by itself", async () => {
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

test("an offer that is not found, or cannot be asked for, has no lows to wait for either", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("batchGetPrices", () => promise);
  expect((await stack().ask("/offers/nope/overview?lows=true")).status).toBe(404);
  stack().services.interfere.set("batchGetOffers", fail);
  expect((await stack().ask("/offers/full/overview?lows=true")).status).toBe(503);
  resolve();
});

test("slow parts are not waited for beyond their budget, nor an unknown offer's", async () => {
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
