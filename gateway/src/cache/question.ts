import { asCountry } from "@storefront/identifiers";
import type { Country } from "@storefront/identifiers";
import { regionOfCountry } from "@storefront/regions";
import { hash } from "node:crypto";
import { defaultCountry } from "../http/country-cookie.ts";
import type { RequestContext } from "../upstream/request-context.ts";

/** What a request asks, apart from the country that its cookie may name. */
export interface Question {
  /** Key of the answer without a country cookie; undefined when it is not kept. */
  key: string | undefined;
  /** Its key for the country of a cookie; absent when the cookie does not count. */
  keyIn?: (country: Country) => string | undefined;
  answer: (ctx: RequestContext) => Promise<CacheableResponse>;
}

/** An answer and, where they differ, what is kept of it. */
export interface CacheableResponse {
  status: number;
  body: string | Buffer;
  /** Default: the body. */
  storedBody?: string;
}

/** How much of the country an operation's answers depend on. */
export type CountryScope = "none" | "region" | "country";

// A search may be as long as a body, which would take the place of answers.
const plainMaxLength = 1000;

/**
 * Names an answer by its operation and its checked input: whatever order, spelling and defaults the
 * request had, and whatever else it said, is the same there.
 */
export function questionKeys(
  operationId: string,
  input: Readonly<Record<string, unknown>>,
  scope: CountryScope,
): Pick<Question, "key" | "keyIn"> {
  const { country: named, ...members } = input;
  const text = JSON.stringify(members);
  const base = `${operationId} ${text.length > plainMaxLength ? hash("sha256", text) : text}`;
  if (scope === "none") return { key: base };
  const keyIn = (country: Country) => {
    const region = regionOfCountry(country);
    // It is answered 404, or as the default is.
    if (region === undefined) return undefined;
    return `${base} ${scope === "region" ? region : country}`;
  };
  if (typeof named === "string") return { key: keyIn(asCountry(named)) };
  return { key: keyIn(defaultCountry), keyIn };
}
