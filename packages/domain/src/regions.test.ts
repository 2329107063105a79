import { asCountry, asRegion } from "./identifiers.ts";
import { expect, it } from "vitest";
import {
  currencyOf,
  defaultRegion,
  isRegion,
  currencyDecimalsOf,
  regionOfCountry,
  regions,
} from "./regions.ts";

const countries = regions.flatMap((region) => region.countries);

it("has 52 regions with one currency each, and 251 countries that are in one region each", () => {
  expect(new Set(regions.map(({ region }) => region)).size).toBe(52);
  expect(regions).toHaveLength(52);
  expect(new Set(countries).size).toBe(251);
  expect(countries).toHaveLength(251);
  for (const { currencyCode } of regions) expect(currencyCode).toMatch(/^[A-Z]{3}$/);
  for (const country of countries) expect(country).toMatch(/^[A-Z]{2}$/);
});

it("finds every country's region", () => {
  for (const { region, countries: members } of regions) {
    for (const country of members) expect(regionOfCountry(country)).toBe(region);
  }
});

it.each(["XX", "", "MX2", "EURO", "USA", "constructor"])("knows no country %j", (country) => {
  expect(regionOfCountry(asCountry(country))).toBeUndefined();
});

it("takes no region for a country, and no country for a region", () => {
  // @ts-expect-error: a region is no country
  expect(regionOfCountry(asRegion("BR2"))).toBeUndefined();
  // @ts-expect-error: a country is no region
  expect(currencyOf(asCountry("BR"))).toBeUndefined();
});

it("tells regions from countries, and knows their currencies", () => {
  expect(isRegion("BR2")).toBe(true);
  expect(isRegion("BR")).toBe(false);
  expect(regionOfCountry(asCountry("BR"))).toBe("BR2");
  expect(currencyOf(asRegion("BR2"))).toBe("BRL");
  expect(currencyOf(asRegion("BR"))).toBeUndefined();
});

it("has the default region among the regions", () => {
  expect(isRegion(defaultRegion)).toBe(true);
});

it("knows the minor unit of every region's currency", () => {
  for (const { currencyCode } of regions) {
    expect([0, 2]).toContain(currencyDecimalsOf(currencyCode));
  }
  expect(currencyDecimalsOf("JPY")).toBe(0);
  expect(currencyDecimalsOf("USD")).toBe(2);
  expect(currencyDecimalsOf("XXX")).toBe(2);
});
