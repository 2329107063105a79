import { neverLowerMs } from "@storefront/price-lows";
import type { PriceState } from "@storefront/price-lows";
import { expect, it } from "vitest";
import { asRegion } from "@storefront/identifiers";
import { priceDocuments, withPrice } from "./price-history.ts";
import type { StoredPrice } from "./price-history.ts";

const seen = (
  originalPrice: number,
  discountPrice: number,
  observedAtMs = 0,
  currencyCode = "USD",
): PriceState => ({ observedAtMs, price: { currencyCode, originalPrice, discountPrice } });
const gone = (observedAtMs = 0): PriceState => ({ observedAtMs });

const after = (...states: PriceState[]) =>
  states.reduce<StoredPrice | undefined>(withPrice, undefined) ?? [null, null, null, null];

it("keeps the lowest on record, also over a time without a price", () => {
  const price = after(seen(900, 900), seen(900, 300), gone(), seen(900, 400));
  expect(price.slice(0, 4)).toEqual([900, 400, null, 300]);
});

it("says lowest only of a discounted price, and gives none where there is none", () => {
  const prices = priceDocuments({
    [asRegion("discounted")]: after(seen(900, 500)),
    [asRegion("again")]: after(seen(900, 500), seen(800, 500)),
    [asRegion("full")]: after(seen(900, 900)),
    [asRegion("risen")]: after(seen(900, 500), seen(900, 600)),
    [asRegion("gone")]: after(seen(900, 500), gone()),
  });
  expect(prices.map(({ region, isLowest }) => [region, isLowest])).toEqual([
    ["discounted", true],
    ["again", true],
    ["full", false],
    ["risen", false],
  ]);
});

it("says since when there was no lower price, as lows count them", () => {
  const stored = {
    [asRegion("risen")]: after(seen(900, 500, 1), seen(900, 600, 2), seen(900, 900, 3)),
    [asRegion("never lower")]: after(seen(900, 900, 1), seen(900, 500, 2)),
    [asRegion("given away before")]: after(seen(900, 0, 1), seen(900, 900, 2)),
    [asRegion("given away")]: after(seen(900, 500, 1), seen(900, 0, 2)),
    [asRegion("another currency")]: after(seen(900, 500, 1), seen(990, 990, 2, "EUR")),
  };
  const since = (releasedAtMs?: number) =>
    priceDocuments(stored, releasedAtMs).map(({ lowestSinceMs }) => lowestSinceMs);
  expect(since()).toEqual([3, neverLowerMs, neverLowerMs, undefined, neverLowerMs]);
  expect(since(3)[0]).toBe(neverLowerMs);
  expect(since(2)[0]).toBe(3);
});

it("does not know it of a price that a release without lows has left", () => {
  const [original, discounted, updatedAtMs, lowest] = after(seen(900, 900, 1));
  const left = withPrice([original, discounted, updatedAtMs, lowest], seen(900, 500, 2));
  const [document] = priceDocuments({ [asRegion("US")]: left });
  expect(document).toMatchObject({ isLowest: true, lowestSinceMs: undefined });
  const later = priceDocuments({ [asRegion("US")]: withPrice(left, seen(900, 400, 3)) });
  expect(later[0]?.lowestSinceMs).toBeUndefined();
});
