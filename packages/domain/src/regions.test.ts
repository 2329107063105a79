import { expect, it } from "vitest";
import { asCountry, asRegion } from "./identifiers.ts";
import { firstRegions, regions, RegionTable } from "./regions.ts";

const countries = regions.flatMap((region) => region.countries);

it("has 52 regions with one currency each, and 251 countries in one region each", () => {
  expect(new Set(regions.map(({ region }) => region)).size).toBe(52);
  expect(regions).toHaveLength(52);
  expect(new Set(countries).size).toBe(251);
  expect(countries).toHaveLength(251);
  for (const { currencyCode } of regions) expect(currencyCode).toMatch(/^[A-Z]{3}$/);
  for (const country of countries) expect(country).toMatch(/^[A-Z]{2}$/);
});

it("finds every country's region", () => {
  for (const region of regions) {
    for (const country of region.countries) expect(firstRegions.of(country)).toBe(region);
  }
});

it.each(["XX", "", "MX2", "EURO", "USA", "constructor"])("knows no country %j", (country) => {
  expect(firstRegions.of(asCountry(country))).toBeUndefined();
});

it("does not accept a region as a country, nor a country as a region", () => {
  // @ts-expect-error: a region is no country
  expect(firstRegions.of(asRegion("BR2"))).toBeUndefined();
  // @ts-expect-error: a country is no region
  expect(firstRegions.get(asCountry("BR"))).toBeUndefined();
});

it("has the decimals of amounts: the region's own first, and 2 where no region has the currency", () => {
  const [us, jp] = ["US", "JP"].map((code) => firstRegions.get(asRegion(code)));
  if (us === undefined || jp === undefined) throw new TypeError("there are these regions");
  const mills = { ...us, region: asRegion("MILLS"), currencyDecimals: 4 };
  const table = new RegionTable([jp, us, mills]);
  expect(table.decimalsOf("JPY")).toBe(0);
  expect(table.decimalsOf("USD", us.region)).toBe(2);
  expect(table.decimalsOf("USD", mills.region)).toBe(4);
  expect(table.decimalsOf("EUR", mills.region)).toBe(2);
});
