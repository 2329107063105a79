import { asCountry } from "@storefront/domain/identifiers";
import type { Country } from "@storefront/domain/identifiers";
import type { Offer, Region } from "../api/types.ts";

type SalesLists = Pick<Offer, "countriesBlacklist" | "countriesWhitelist">;

/** Whether the offer's lists allow its sale in the country. */
export function isSoldIn(
  { countriesBlacklist, countriesWhitelist }: SalesLists,
  country: Country,
): boolean {
  const holdsCountry = (listed: string) => listed.toUpperCase() === country;
  if (countriesBlacklist.some(holdsCountry)) return false;
  return countriesWhitelist.length === 0 || countriesWhitelist.some(holdsCountry);
}

/** Whether the offer is sold in a region: in the chosen country if the region has it, else in any of its countries. */
export function isSoldInRegion(
  { countries }: Pick<Region, "countries">,
  offer: SalesLists,
  chosen: Country,
): boolean {
  const checked = countries.includes(chosen) ? [chosen] : countries.map(asCountry);
  return checked.some((country) => isSoldIn(offer, country));
}
