import { asCountry } from "@storefront/domain/identifiers";
import type { Country } from "@storefront/domain/identifiers";
import { hash } from "node:crypto";
import { currentRegions } from "../regions/current-regions.ts";
import type { ResolvedCountry } from "../regions/current-regions.ts";
import type { RequestContext } from "../upstream/request-context.ts";

/** What a request asks, without the country of its cookie. */
export interface Question {
  /** Key of the response without a country cookie; default: it is not cached. */
  key?: string | undefined;
  /** Its key for the country of a cookie; absent when the cookie has no effect. */
  keyIn?: (country: Country) => string | undefined;
  respond: (ctx: RequestContext) => Promise<CacheableResponse>;
}

export interface CacheableResponse {
  status: number;
  body: string | Buffer;
  /** The body that is cached; default: the same. */
  storedBody?: string;
}

/** How an operation's responses depend on the country. */
export interface CountryUse {
  /** Whether they are the same for all countries of a region. */
  isRegional: boolean;
  /** Whether a country that is in no region counts as the default one; it is 404 otherwise. */
  takesAnyCountry: boolean;
}

// A search may be as long as a body, and would take the space of responses.
const plainMaxLength = 1000;

/**
 * Names a response by its operation and its checked input, whatever order, spelling, defaults and unknown parameters the
 * request has.
 *
 * @param countryUse undefined where the responses do not depend on the country
 */
export function questionKeys(
  operationId: string,
  input: Readonly<Record<string, unknown>>,
  countryUse: CountryUse | undefined,
): Pick<Question, "key" | "keyIn"> {
  const { country: named, ...members } = input;
  const text = JSON.stringify(members);
  const base = `${operationId} ${text.length > plainMaxLength ? hash("sha256", text) : text}`;
  if (countryUse === undefined) return { key: base };
  const { isRegional, takesAnyCountry } = countryUse;
  const keyOf = (resolved: ResolvedCountry | undefined): string | undefined =>
    resolved && `${base} ${isRegional ? resolved.region : resolved.country}`;
  // Otherwise it is 404, without a call.
  const fallback = () => (takesAnyCountry ? keyOf(currentRegions.fallback) : undefined);
  const keyIn = (country: Country) => keyOf(currentRegions.resolve(country)) ?? fallback();
  if (typeof named === "string") return { key: keyIn(asCountry(named)) };
  return { key: keyOf(currentRegions.fallback), keyIn };
}
