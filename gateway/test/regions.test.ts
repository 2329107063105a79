import { describe, expect, test, vi } from "vitest";
import { currentRegions } from "../src/regions/current-regions.ts";
import { asCountry } from "@storefront/domain/identifiers";
import { records } from "./support/records.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";
import type { TestStack } from "./support/start-stack.ts";

const kuwait = { id: "KUWAIT", currencyCode: "KWD", currencyDecimals: 3, countries: ["KW"] };

describe.each([
  ["with a response cache", useCachingStack()],
  ["without one", useStack()],
])("regions %s", (_name, stack: () => TestStack) => {
  test("come from pricing: a new one is used at once, and a deleted one no longer", async () => {
    const before = records.regions;
    const commit = () =>
      stack().services.feeds.pricing.commit({ kind: "region", key: [kuwait.id] });
    expect((await stack().ask("/price-changes?region=kuwait")).status).toBe(400);
    const listed = async () => (await stack().ask("/regions")).json as unknown[];
    expect(await listed()).toHaveLength(52);
    try {
      records.regions = [...before.filter(({ id }) => id !== "MIDEAST"), kuwait].toSorted(
        (one, other) => (one.id < other.id ? -1 : 1),
      );
      commit();
      await vi.waitUntil(async () => (await listed()).some((each) => hasCode(each, "KUWAIT")));
      expect(await listed()).not.toContainEqual(expect.objectContaining({ region: "MIDEAST" }));
      expect((await stack().ask("/price-changes?region=kuwait")).status).toBe(200);
      await stack().ask("/offers/full/price?country=kw");
      expect(stack().services.calls).toContainEqual(
        expect.objectContaining({
          method: "batchGetPrices",
          request: expect.objectContaining({ region: "KUWAIT" }),
        }),
      );
      expect((await stack().ask("/offers/full/price?country=BH")).status).toBe(404);
    } finally {
      records.regions = before;
      commit();
      await vi.waitUntil(async () => (await listed()).length === 52);
    }
  });
});

test("a default country in no region has the prices of the first region", () => {
  const [de] = currentRegions.table.regions.filter(({ countries }) =>
    countries.includes(asCountry("DE")),
  );
  if (de === undefined) throw new TypeError("Germany is in no region");
  const before = currentRegions.table.regions;
  try {
    currentRegions.replace([de]);
    expect(currentRegions.fallback).toEqual({ country: "US", region: de.region });
    currentRegions.replace([]);
    expect(currentRegions.fallback).toBeUndefined();
  } finally {
    currentRegions.replace(before);
  }
});

function hasCode(region: unknown, code: string): boolean {
  return (
    typeof region === "object" && region !== null && "region" in region && region.region === code
  );
}
