import { asLocale } from "@storefront/domain/identifiers";
import { expect, it } from "vitest";
import { formatBound, formatMoney } from "./money.ts";

const locale = asLocale("en-US");
const dollars = { currencyCode: "USD", currencyDecimals: 2 };

it("formats an amount with the decimals of its currency, and 0 as Free", () => {
  expect(formatMoney(200, dollars, locale)).toBe("$2.00");
  expect(formatMoney(2200, { currencyCode: "JPY", currencyDecimals: 0 }, locale)).toBe("¥2,200");
  expect(formatMoney(0, dollars, locale)).toBe("Free");
});

it("formats a whole bound without decimals", () => {
  expect(formatBound(1000, dollars, locale)).toBe("$10");
  expect(formatBound(1050, dollars, locale)).toBe("$10.50");
  expect(formatBound(0, dollars, locale)).toBe("Free");
});
