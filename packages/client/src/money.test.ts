import { expect, it } from "vitest";
import { formatMoney, majorUnits } from "./money.ts";

it.each([
  [1999, "USD", 2, "en-US", "$19.99"],
  [1899, "EUR", 2, "de-DE", "18,99 €"],
  [2200, "JPY", 0, "ja-JP", "￥2,200"],
  [1500, "KWD", 3, "en-US", "KWD 1.500"],
  [499_950, "HUF", 2, "en-US", "HUF 4,999.50"],
  [0, "USD", 2, "en-US", "$0.00"],
])("writes %i %s with %i decimals for %s as %s", (amount, currencyCode, decimals, locale, text) => {
  const money = { amount, currencyCode, currencyDecimals: decimals };
  expect(formatMoney(money, locale).replaceAll(/\s/g, " ")).toBe(text);
});

it("has major units by the currency's decimals", () => {
  expect(majorUnits({ amount: 1999, currencyDecimals: 2 })).toBe(19.99);
  expect(majorUnits({ amount: 2200, currencyDecimals: 0 })).toBe(2200);
});
