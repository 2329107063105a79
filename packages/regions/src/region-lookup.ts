import { regions } from "./regions.ts";

/** The region of a request that names no country, and the one that stands in for others. */
export const defaultRegion = "US";

const regionByCountry = new Map(
  regions.flatMap(({ region, countries }) => countries.map((country) => [country, region])),
);

const currencyByRegion = new Map(regions.map(({ region, currencyCode }) => [region, currencyCode]));

/** Currencies among the regions' whose smallest unit is the whole; all others have hundredths. */
const wholeUnitCurrencies = new Set(["CLP", "JPY", "KRW", "VND"]);

const currencies = new Set(currencyByRegion.values());

/**
 * The region that a country's prices are in, undefined for a country that is in none.
 *
 * @param country ISO 3166-1 alpha-2 code in any case. Region codes such as `MX2` are not countries.
 */
export function regionOfCountry(country: string): string | undefined {
  return regionByCountry.get(country.toUpperCase());
}

/** Whether the text is a region's code, in capitals as it is written. */
export function isRegion(code: string): boolean {
  return currencyByRegion.has(code);
}

/** ISO 4217 code of a region's currency, undefined for what is no region. */
export function currencyOf(region: string): string | undefined {
  return currencyByRegion.get(region);
}

/** Decimal places that a currency's minor unit stands for, undefined for one that no region uses. */
export function minorUnitDigitsOf(currencyCode: string): number | undefined {
  if (!currencies.has(currencyCode)) return undefined;
  return wholeUnitCurrencies.has(currencyCode) ? 0 : 2;
}
