import { defaultRegion, regionOfCountry } from "@storefront/regions";
import type { RequestContext } from "../upstream/request-context.ts";
import { notFound } from "../errors/public-error.ts";

/** The country of a request that names none. */
export const defaultCountry = "US";

// Two letters, possibly in quotes; any other value is no country and does not count.
const countryCookie = /(?:^|;)\s*CATALOG_COUNTRY=("?)([A-Za-z]{2})\1\s*(?:;|$)/;

/** A country in capitals and the region its prices are in. */
export interface ResolvedCountry {
  country: string;
  region: string;
}

/**
 * The country a request is for: the one it names, else that of its cookie, else `US`.
 *
 * @param named two capital letters
 * @throws NOT_FOUND for a country that is in no region
 */
export function resolveCountry(ctx: RequestContext, named: string | undefined): ResolvedCountry {
  const country = named ?? ownCountry(ctx);
  if (country === undefined) return { country: defaultCountry, region: defaultRegion };
  const region = regionOfCountry(country);
  if (region === undefined) throw notFound("Country not found");
  return { country, region };
}

/** As `resolveCountry`, the region alone; that of `US` for a country that is in no region. */
export function resolveRegion(ctx: RequestContext, named: string | undefined): string {
  const country = named ?? ownCountry(ctx);
  return (country === undefined ? undefined : regionOfCountry(country)) ?? defaultRegion;
}

/** The country that a `Cookie` header names, in capitals. */
export function countryOfCookie(cookie: string | undefined): string | undefined {
  return cookie === undefined ? undefined : countryCookie.exec(cookie)?.[2]?.toUpperCase();
}

function ownCountry(ctx: RequestContext): string | undefined {
  const country = countryOfCookie(ctx.cookie);
  if (country !== undefined) ctx.countryFromCookie = true;
  return country;
}
