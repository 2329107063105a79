import { asLocale } from "@storefront/domain/identifiers";
import { currencyDecimalsOf, regions } from "@storefront/domain/regions";
import { describe, expect, it } from "vitest";
import { discountPercentOf, formatBound, formatMoney, minorUnitsOf } from "./money.ts";

const price = (originalPrice: number, discountPrice: number) => ({
  price: {
    currencyCode: "USD",
    originalPrice,
    discountPrice,
    discount: originalPrice - discountPrice,
  },
});

describe("an amount of minor units", () => {
  it.each([
    [999, "USD", "en-US", "$9.99"],
    [200, "USD", "en-US", "$2.00"],
    [1899, "EUR", "de-DE", "18,99 €"],
    [2200, "JPY", "en-US", "¥2,200"],
    [120_000, "KRW", "ko-KR", "₩120,000"],
    [0, "USD", "en-US", "Free"],
  ])("%i %s is for %s %s", (amount, currency, locale, text) => {
    expect(formatMoney(amount, currency, asLocale(locale)).replaceAll(/\s/g, " ")).toBe(text);
  });

  it("has no decimals as a bound when it is whole", () => {
    expect(formatBound(1000, "USD", asLocale("en-US"))).toBe("$10");
    expect(formatBound(1050, "USD", asLocale("en-US"))).toBe("$10.50");
  });

  it("keeps what is smaller than the unit, also where people rarely write it", () => {
    expect(formatMoney(499_950, "HUF", asLocale("en-US")).replaceAll(/\s/g, " ")).toBe(
      "HUF 4,999.50",
    );
  });

  it("is of every region's minor unit", () => {
    for (const { currencyCode } of regions) {
      expect(Math.log10(minorUnitsOf(currencyCode))).toBe(currencyDecimalsOf(currencyCode));
    }
  });
});

describe("a discount in percent", () => {
  it.each([
    [2000, 1000, 50],
    [2499, 250, 90],
    [1999, 1, 99],
    [1999, 1998, 1],
    [1999, 0, 100],
    [1999, 1999, 0],
    [0, 0, 0],
  ])("of %i that cost %i is %i", (full, now, percent) => {
    expect(discountPercentOf(price(full, now))).toBe(percent);
  });
});
