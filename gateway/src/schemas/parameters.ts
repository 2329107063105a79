import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { asRegion } from "@storefront/domain/identifiers";
import { z } from "zod";
import { currentRegions } from "../regions/current-regions.ts";
import { canonicalLocale, defaultLocale, isLocale } from "./locale.ts";

/** In characters, that is code points. */
const identifierMaxLength = 256;

const controlCharacter = /\p{Cc}/u;

/** No NUL, no half of a surrogate pair: the text can be stored and sent. */
function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function isAtMost(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  // A code point is at most two units.
  return text.length <= 2 * maxLength && Array.from(text).length <= maxLength;
}

/** Whether the text may be the id of a record. */
export function isIdentifier(text: string): boolean {
  return (
    text.length > 0 &&
    isAtMost(text, identifierMaxLength) &&
    !controlCharacter.test(text) &&
    text.isWellFormed()
  );
}

const identifierRule = `must be 1 to ${identifierMaxLength} characters without control characters`;

export function zIdentifier(description: string, example: string) {
  return z
    .string(identifierRule)
    .refine(isIdentifier, identifierRule)
    .meta({ description, example, minLength: 1, maxLength: identifierMaxLength });
}

export const zOfferId = zIdentifier(
  "Id of the offer.",
  "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
).brand<"OfferId">();

export const zItemId = zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486");

export const zSandboxId = zIdentifier("Namespace or sandbox id.", "calluna");

export const zQueryId = zIdentifier("Id of the saved query.", "9e107d9d372bb6826bd81d3542a419d6");

/** Text that may be empty. */
export function zTextUpTo(maxLength: number) {
  const rule = `must be text of at most ${maxLength} characters without NUL or lone surrogates`;
  return z
    .string(rule)
    .refine((text) => isAtMost(text, maxLength) && isCleanText(text), rule)
    .meta({ maxLength });
}

/**
 * Text that is not blank; trimmed.
 *
 * @param noun what the rule calls it
 */
export function zTrimmedText(
  noun: "text" | "a text",
  maxLength: number,
  meta?: { description: string; example: string },
) {
  const rule = `must be ${noun} of 1 to ${maxLength} characters after trimming, without NUL or lone surrogates`;
  return z
    .string(rule)
    .overwrite((text) => text.trim())
    .refine((text) => text !== "" && isAtMost(text, maxLength) && isCleanText(text), rule)
    .meta({ ...meta, minLength: 1, maxLength });
}

/** Two letters in any case; capitals once parsed. */
export const zCountry = z
  .string("must be two letters")
  .regex(/^[A-Za-z]{2}$/, "must be two letters")
  .overwrite((country) => country.toUpperCase())
  .meta({
    description:
      "ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured.",
    example: "US",
    minLength: 2,
    maxLength: 2,
  })
  .brand<"Country">()
  .optional();

const regionRule = "must be the code of a pricing region such as US";

/** Code of a pricing region in any case; capitals once parsed. */
export const zRegion = z
  .string(regionRule)
  .overwrite((region) => region.toUpperCase())
  .refine((code) => currentRegions.table.get(asRegion(code)) !== undefined, regionRule)
  .brand<"Region">()
  .meta({ description: "Code of a pricing region, any case; all when absent.", example: "EURO" })
  .optional();

/** True or false, false by default. */
export function zSwitch(description: string, isOn = false) {
  return z.boolean("must be true or false").default(isOn).meta({ description, example: true });
}

export const zLows = zSwitch("Whether prices come with the lowest prices on record, as `lows`.");

/** A whole number of at least `min`. */
export function zWholeNumber(min: number, max?: number) {
  const rule = `must be a whole number of ${max === undefined ? `at least ${min}` : `${min} to ${max}`}`;
  const number = z.number(rule).int(rule).min(min, rule);
  return max === undefined ? number : number.max(max, rule);
}

export function zOneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

const localeRule = "must be a BCP-47 locale such as de-DE";

/** A BCP-47 tag, canonical once parsed; blank is the default. */
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

const zIsoTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

// Years that a Timestamp can hold.
const earliestMs = Date.parse("0001-01-01T00:00:00Z");
const latestMs = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether the text is an ISO 8601 date, or date and time with its offset, of the years 1 to 9999. */
function isIsoTime(text: string): boolean {
  if (!zIsoTime.safeParse(text).success) return false;
  const milliseconds = Date.parse(text);
  return milliseconds >= earliestMs && milliseconds <= latestMs;
}

/** The instant of a text that `zTime` accepts, to the nanosecond. */
export function timestampOf(text: string): Timestamp {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  return create(TimestampSchema, {
    seconds: BigInt(Math.floor(Date.parse(text) / 1000)),
    nanos: Number(fraction.padEnd(9, "0").slice(0, 9)),
  });
}

/** Values separated by commas: trimmed, without empty ones. */
export function commaList(text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

const commaListRule = "must be at most 100 values of 1 to 256 characters, separated by commas";

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
