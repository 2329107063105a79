import type { Country } from "@storefront/domain/identifiers";
import { notFound } from "../errors/public-error.ts";
import { countryOfCookie } from "../http/country-cookie.ts";
import { currentRegions } from "../regions/current-regions.ts";
import type { ResolvedCountry } from "../regions/current-regions.ts";
import type { RequestContext } from "../upstream/request-context.ts";

/**
 * The country a request is for: named by it, else by its cookie, else the default country.
 *
 * @throws NOT_FOUND for a country that is in no region
 */
export function resolveCountry(ctx: RequestContext, named: Country | undefined): ResolvedCountry {
  const country = named ?? cookieCountry(ctx);
  return found(country === undefined ? currentRegions.fallback : currentRegions.resolve(country));
}

/** As `resolveCountry`, of operations that take any country: one that is in no region counts as the default one. */
export function resolveAnyCountry(
  ctx: RequestContext,
  named: Country | undefined,
): ResolvedCountry {
  const country = named ?? cookieCountry(ctx);
  const resolved = country === undefined ? undefined : currentRegions.resolve(country);
  return resolved ?? found(currentRegions.fallback);
}

function found(resolved: ResolvedCountry | undefined): ResolvedCountry {
  if (resolved === undefined) throw notFound("Country not found");
  return resolved;
}

function cookieCountry(ctx: RequestContext): Country | undefined {
  const country = countryOfCookie(ctx.cookie);
  if (country !== undefined) ctx.countryFromCookie = true;
  return country;
}
