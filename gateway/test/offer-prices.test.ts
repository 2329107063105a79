import { expect, test } from "vitest";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test("the prices of all regions are shown, whatever the country of the request", async () => {
  const { json } = await stack().ask("/offers/full/prices?country=ZZ");
  expect(json).toMatchObject({
    offerId: "full",
    prices: [{ region: "CN2" }, { region: "EURO" }, { region: "US" }],
  });
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
