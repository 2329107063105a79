import { isRegion } from "@storefront/regions";
import { z } from "zod";
import { canonicalLocale, defaultLocale, isLocale } from "./locale.ts";
import { identifierMaxLength, isAtMost, isCleanText, isIdentifier } from "./text-rules.ts";
import { isIsoTime } from "./time.ts";

const identifierRule = `must be 1 to ${identifierMaxLength} characters without control characters`;

/** An id of a record; `description` says whose. */
export function zIdentifier(description: string, example: string) {
  return z
    .string(identifierRule)
    .refine(isIdentifier, identifierRule)
    .meta({ description, example, minLength: 1, maxLength: identifierMaxLength });
}

/** The id of an offer. */
export const zOfferId = zIdentifier(
  "Id of the offer.",
  "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
).brand<"OfferId">();

/** Text without NUL and lone surrogates, at most so many characters; may be empty. */
export function zText(maxLength: number) {
  const rule = `must be text of at most ${maxLength} characters without NUL or lone surrogates`;
  return z
    .string(rule)
    .refine((text) => isAtMost(text, maxLength) && isCleanText(text), rule)
    .meta({ maxLength });
}

/** Two letters in any case, capitals afterwards; absent when the request names none. */
export const zCountry = z
  .string("must be two letters")
  .regex(/^[A-Za-z]{2}$/, "must be two letters")
  .overwrite((country) => country.toUpperCase())
  .meta({
    description:
      "ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then `US`.",
    example: "US",
    minLength: 2,
    maxLength: 2,
  })
  .brand<"Country">()
  .optional();

const regionRule = "must be the code of a pricing region such as US";

/** A pricing region by its code, capitals afterwards; absent means all. */
export const zRegion = z
  .string(regionRule)
  .overwrite((region) => region.toUpperCase())
  .refine(isRegion, regionRule)
  .brand<"Region">()
  .meta({ description: "Code of a pricing region, any case; all when absent.", example: "EURO" })
  .optional();

/** Whether prices come with their lows. */
export const zLows = z.boolean("must be true or false").default(false).meta({
  description: "Whether prices come with the lowest prices on record, as `lows`.",
  example: true,
});

const localeRule = "must be a BCP-47 locale such as de-DE";

/** A canonical BCP-47 tag; blank means the default. */
export const zLocale = z
  .string(localeRule)
  .refine(isLocale, { abort: true, error: localeRule })
  .overwrite(canonicalLocale)
  .brand<"Locale">()
  .default(defaultLocale)
  .meta({
    description:
      "Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical.",
    example: "de-DE",
  });

const timeRule = "must be an ISO 8601 time such as 2026-03-16T19:05:41Z";

/** An instant; a date alone is its midnight in UTC. */
export function zTime(description: string) {
  return z
    .string(timeRule)
    .refine(isIsoTime, timeRule)
    .meta({ description, format: "date-time", example: "2026-03-16T19:05:41Z" });
}

/** Values of a list separated by commas: trimmed, without empty ones. */
export function commaList(text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

const commaListRule = "must be at most 100 values of 1 to 256 characters, separated by commas";

/** A comma list as the query carries it. */
export function zCommaList(description: string, example: string) {
  return z
    .string(commaListRule)
    .refine((text) => {
      const values = commaList(text);
      return values.length <= 100 && values.every(isIdentifier);
    }, commaListRule)
    .meta({ description, example })
    .optional();
}
