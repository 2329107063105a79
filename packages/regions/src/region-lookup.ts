import { asRegion } from "@storefront/identifiers";
import type { Country, Region } from "@storefront/identifiers";
import { regions } from "./regions.ts";

/** The region of a request that names no country, and the one that stands in for others. */
export const defaultRegion = asRegion("US");

const regionByCountry = new Map(
  regions.flatMap(({ region, countries }) => countries.map((country) => [country, region])),
);

const currencyByRegion = new Map(regions.map(({ region, currencyCode }) => [region, currencyCode]));

/** Currencies among the regions' whose smallest unit is the whole; all others have hundredths. */
const wholeUnitCurrencies = new Set(["CLP", "JPY", "KRW", "VND"]);

const currencies = new Set(currencyByRegion.values());

/** The region that a country's prices are in, undefined for a country that is in none. */
export function regionOfCountry(country: Country): Region | undefined {
  return regionByCountry.get(country);
}

/** Whether the text is a region's code, in capitals as it is written. */
export function isRegion(code: string): code is Region {
  return currencyByRegion.has(asRegion(code));
}

/** ISO 4217 code of a region's currency, undefined for what is no region. */
export function currencyOf(region: Region): string | undefined {
  return currencyByRegion.get(region);
}

/** Decimal places that a currency's minor unit stands for, undefined for one that no region uses. */
export function minorUnitDigitsOf(currencyCode: string): number | undefined {
  if (!currencies.has(currencyCode)) return undefined;
  return wholeUnitCurrencies.has(currencyCode) ? 0 : 2;
}
