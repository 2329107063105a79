import { create } from "@bufbuild/protobuf";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { describe, expect, it } from "vitest";
import { pricePointOf } from "./price.ts";

const pricePoint = (currencyCode: string, originalPrice: number, discountPrice: number) =>
  pricePointOf(
    create(OfferPriceSchema, {
      price: {
        currencyCode,
        originalPrice: BigInt(originalPrice),
        discountPrice: BigInt(discountPrice),
        discount: BigInt(originalPrice - discountPrice),
      },
      appliedRules: [{ discountPercentage: 10 }, {}],
    }),
  );

describe("a price", () => {
  it.each([
    [2000, 1000, 50],
    [200, 143, 29],
    [1999, 0, 100],
    [1999, 1999, 0],
    [0, 0, 0],
    [1000, 1200, 0],
  ])("of %i that costs %i is %i percent off, rounded half up", (full, now, percentOff) => {
    expect(pricePoint("USD", full, now).price.percentOff).toBe(percentOff);
  });

  it("has the decimals of its currency, and the percentage off by each sale", () => {
    expect(pricePoint("JPY", 1000, 100).price.currencyDecimals).toBe(0);
    const { price, appliedRules } = pricePoint("EUR", 1000, 100);
    expect(price.currencyDecimals).toBe(2);
    expect(appliedRules.map(({ percentOff }) => percentOff)).toEqual([90, 0]);
  });
});
