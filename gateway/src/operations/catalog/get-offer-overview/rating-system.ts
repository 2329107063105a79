import { asCountry } from "@storefront/identifiers";
import type { Country } from "@storefront/identifiers";

const countriesBySystem: Record<string, string> = {
  ESRB: "US CA MX",
  PEGI: "AD AL AT BE BG CH CY CZ DK EE ES FI FR GB GR HR HU IE IL IS IT LT LU LV MT NL NO PL PT RO SE SI SK",
  USK: "DE",
  CERO: "JP",
  ACB: "AU",
  ClassInd: "BR",
  GRAC: "KR",
};

const systems = new Map(
  Object.entries(countriesBySystem).flatMap(([system, countries]) =>
    countries.split(" ").map((country) => [asCountry(country), system] as const),
  ),
);

/** The age rating system that a country uses; `Generic` where none is its own. */
export function ratingSystemOf(country: Country): string {
  return systems.get(country) ?? "Generic";
}
