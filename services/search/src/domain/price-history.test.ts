import { expect, it } from "vitest";
import { asRegion } from "@storefront/identifiers";
import { priceDocuments, withPrice } from "./price-history.ts";
import type { StoredPrice } from "./price-history.ts";

const seen = (original: number, discounted: number) => ({
  original,
  discounted,
  updatedAtMs: undefined,
});

it("keeps the lowest on record, also over a time without a price", () => {
  let price: StoredPrice | undefined;
  for (const state of [seen(900, 900), seen(900, 300), undefined, seen(900, 400)]) {
    price = withPrice(price, state);
  }
  expect(price).toEqual([900, 400, null, 300]);
});

it("says lowest only of a discounted price, and gives none where there is none", () => {
  const prices = priceDocuments({
    [asRegion("discounted")]: withPrice(undefined, seen(900, 500)),
    [asRegion("again")]: withPrice(withPrice(undefined, seen(900, 500)), seen(800, 500)),
    [asRegion("full")]: withPrice(undefined, seen(900, 900)),
    [asRegion("risen")]: withPrice(withPrice(undefined, seen(900, 500)), seen(900, 600)),
    [asRegion("gone")]: withPrice(withPrice(undefined, seen(900, 500)), undefined),
  });
  expect(prices.map(({ region, isLowest }) => [region, isLowest])).toEqual([
    ["discounted", true],
    ["again", true],
    ["full", false],
    ["risen", false],
  ]);
});
