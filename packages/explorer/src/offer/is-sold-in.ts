import type { Offer } from "../api/types.ts";

/** The part of an offer that says where it may be sold. */
export type SalesLists = Pick<Offer, "countriesBlacklist" | "countriesWhitelist">;

/** Whether the offer's lists let it be sold in the country (two capital letters). */
export function isSoldIn(
  { countriesBlacklist, countriesWhitelist }: SalesLists,
  country: string,
): boolean {
  const holdsCountry = (listed: string) => listed.toUpperCase() === country;
  if (countriesBlacklist.some(holdsCountry)) return false;
  return countriesWhitelist.length === 0 || countriesWhitelist.some(holdsCountry);
}
