import type { Offer } from "@storefront/contracts/catalog/v1/offer";

/** Whether the offer's lists let it be sold in the country (two capital letters). */
export function isSoldIn(
  { countriesBlacklist, countriesWhitelist }: Offer,
  country: string,
): boolean {
  const holdsCountry = (listed: string) => listed.toUpperCase() === country;
  if (countriesBlacklist.some(holdsCountry)) return false;
  return countriesWhitelist.length === 0 || countriesWhitelist.some(holdsCountry);
}
