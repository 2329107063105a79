import { asLocale } from "@storefront/domain/identifiers";
import { expect, it } from "vitest";
import { lowDaysOf } from "./lowest-time.ts";

const march = "2026-03-02T12:00:00.000Z";
const april = "2026-04-02T12:00:00.000Z";

it.each([
  [march, april, "first Mar 2, 2026, last Apr 2, 2026"],
  [march, null, "first Mar 2, 2026, and now"],
  [march, "2026-03-02T13:00:00.000Z", "Mar 2, 2026"],
  [null, april, "last Apr 2, 2026"],
])("a low from %s to %s: %s", (firstAt, lastAt, text) => {
  const low = { discountPrice: 499, firstAt, lastAt };
  expect(lowDaysOf(low, asLocale("en-US")).join(", ")).toBe(text);
});
