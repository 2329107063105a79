import type { Country, Region } from "@storefront/domain/identifiers";
import { defaultRegion, regionOfCountry } from "@storefront/domain/regions";
import { notFound } from "../errors/public-error.ts";
import { countryOfCookie, defaultCountry } from "../http/country-cookie.ts";
import type { RequestContext } from "../upstream/request-context.ts";

/** A country and the region its prices are in. */
export interface ResolvedCountry {
  country: Country;
  region: Region;
}

/**
 * The country a request is for: the one it names, else that of its cookie, else `US`.
 *
 * @throws NOT_FOUND for a country that is in no region
 */
export function resolveCountry(ctx: RequestContext, named: Country | undefined): ResolvedCountry {
  const country = named ?? ownCountry(ctx);
  const region = regionOfCountry(country);
  if (region === undefined) throw notFound("Country not found");
  return { country, region };
}

/** As `resolveCountry`, of operations that take any country: one that is in no region counts as `US`. */
export function resolveAnyCountry(
  ctx: RequestContext,
  named: Country | undefined,
): ResolvedCountry {
  const country = named ?? ownCountry(ctx);
  const region = regionOfCountry(country);
  return region === undefined
    ? { country: defaultCountry, region: defaultRegion }
    : { country, region };
}

function ownCountry(ctx: RequestContext): Country {
  const country = countryOfCookie(ctx.cookie);
  if (country !== undefined) ctx.countryFromCookie = true;
  return country ?? defaultCountry;
}
