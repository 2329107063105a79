import type { Country } from "@storefront/identifiers";
import type { Region } from "../api/types.ts";

/** Where the prices of a country that is in no region come from. */
const defaultRegion = "US";

/** The region whose prices a country has; the default one for a country that is in none. */
export function regionOf(regions: readonly Region[], country: Country): Region | undefined {
  return (
    regions.find(({ countries }) => countries.includes(country)) ??
    regions.find(({ region }) => region === defaultRegion)
  );
}

/** ISO 4217 code of what a country pays in. */
export function currencyIn(regions: readonly Region[], country: Country): string | undefined {
  return regionOf(regions, country)?.currencyCode;
}
