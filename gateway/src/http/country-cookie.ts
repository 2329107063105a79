import { asCountry } from "@storefront/domain/identifiers";
import type { Country } from "@storefront/domain/identifiers";

// Two letters, possibly in quotes; any other value is no country and does not count.
const countryCookie = /(?:^|;)\s*CATALOG_COUNTRY=("?)([A-Za-z]{2})\1\s*(?:;|$)/;

/** The country that a `Cookie` header names, in capitals. */
export function countryOfCookie(cookie: string | undefined): Country | undefined {
  const named = cookie === undefined ? undefined : countryCookie.exec(cookie)?.[2];
  return named === undefined ? undefined : asCountry(named.toUpperCase());
}
