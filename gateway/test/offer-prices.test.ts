import { create } from "@bufbuild/protobuf";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { regions } from "@storefront/regions";
import { unavailable } from "@storefront/rpc";
import { afterEach, expect, test } from "vitest";
import { at, records } from "./support/records.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();

const { prices: before } = records;
const offer = records.offers.find(({ id }) => id === "full");
const { releaseDate } = offer ?? {};
afterEach(() => {
  records.prices = before;
  if (offer !== undefined) offer.releaseDate = releaseDate;
});

test("an offer's prices are those of one country of each region, by region, as tRPC says too", async () => {
  records.prices = regions.map(({ region, currencyCode }, place) =>
    create(OfferPriceSchema, {
      offerId: "bare",
      region,
      price: { currencyCode, originalPrice: 100n, discountPrice: BigInt(place) },
    }),
  );
  const { json } = await stack().ask("/offers/bare/prices");
  const codes = regions.map(({ region }) => region).toSorted();
  expect(codes).toHaveLength(52);
  const expected: unknown[] = [];
  for (const code of codes) {
    const [country] = regions.find(({ region }) => region === code)?.countries ?? [];
    expected.push((await stack().ask(`/offers/bare/price?country=${country}`)).json);
  }
  expect(json).toEqual({ offerId: "bare", prices: expected });
  const input = encodeURIComponent('{"id":"bare"}');
  const called = await stack().ask(`/trpc/pricing.listOfferPrices?input=${input}`);
  expect(called.json).toEqual({ result: { data: json } });
});

test("prices are shown wherever the offer is sold, in any country that asks", async () => {
  const { json } = await stack().ask("/offers/full/prices?country=ZZ");
  expect(json).toMatchObject({
    offerId: "full",
    prices: [{ region: "CN2" }, { region: "EURO" }, { region: "US" }],
  });
});

test("an offer without prices has none, and one that nobody knows is 404", async () => {
  expect((await stack().ask("/offers/bare/prices")).json).toEqual({ offerId: "bare", prices: [] });
  const { status, json } = await stack().ask("/offers/orphan/prices");
  expect([status, json]).toEqual([404, { message: "Offer not found", error: "NOT_FOUND" }]);
});

test("`fields` chooses members of each price, and the region is always among them", async () => {
  const { json } = await stack().ask("/offers/full/prices?fields=updatedAt,%20updatedAt");
  const updatedAt = "2026-05-04T03:02:01.500Z";
  expect(json).toEqual({
    offerId: "full",
    prices: ["CN2", "EURO", "US"].map((region) => ({ region, updatedAt })),
  });
  const { status, json: refused } = await stack().ask("/offers/full/prices?fields=price,amount");
  expect([status, refused]).toEqual([
    400,
    {
      message:
        "fields must be one of offerId, region, price, updatedAt, appliedRules, lows, or several of them, separated by commas.",
      error: "INVALID_ARGUMENT",
    },
  ]);
});

test("lows are since the offer's release", async () => {
  if (offer !== undefined) offer.releaseDate = at("2022-02-02T00:00:00Z");
  const { json } = await stack().ask("/offers/full/prices?lows=true");
  const lows = expect.objectContaining({
    since: "2022-02-02T00:00:00.000Z",
    exclusions: ["giveaway", "beforeRelease", "otherCurrency"],
  }) as unknown;
  expect((json as { prices: unknown[] }).prices).toEqual([
    expect.objectContaining({ region: "CN2", lows }),
    expect.objectContaining({ region: "EURO", lows }),
    expect.objectContaining({ region: "US", lows }),
  ]);
});

test("without pricing there is no answer", async () => {
  stack().services.interfere.set("listOfferPrices", () =>
    Promise.reject(unavailable("gone", 1000)),
  );
  expect(await stack().ask("/offers/full/prices")).toMatchObject({
    status: 503,
    json: { error: "UNAVAILABLE" },
  });
});
