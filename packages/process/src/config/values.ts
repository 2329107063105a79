import { z } from "zod";

/** A TCP port, 0–65535; 0 lets the system choose. */
export const zPort = z
  .string()
  .regex(/^\d{1,5}$/, "must be a port number from 0 to 65535")
  .transform(Number)
  .refine((port) => port <= 65_535, "must be a port number from 0 to 65535");

/** An http or https address without a trailing slash. */
export const zUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .transform((url) => url.replace(/\/+$/, ""));

/** Addresses as {@link zUrl}, separated by commas. */
export const zUrls = z
  .string()
  .transform((text) => text.split(",").map((url) => zUrl.safeParse(url.trim())))
  .refine(
    (urls) => urls.every(({ success }) => success),
    "must be http:// or https:// addresses, separated by commas",
  )
  .transform((urls) => urls.map(({ data = "" }) => data));

/** Least length of a token, in characters, so that it cannot be guessed. */
const tokenMinLength = 16;

/**
 * Secrets that callers present, separated by commas: several during a rotation. Servers accept any of them,
 * clients send the first.
 */
export const zTokens = z
  .string()
  .transform((text): [string, ...string[]] => {
    const [first = "", ...others] = text.split(",").map((token) => token.trim());
    return [first, ...others];
  })
  .refine(
    (tokens) => tokens.every((token) => token.length >= tokenMinLength),
    `must be a token of at least ${tokenMinLength} characters, or several of them separated by commas`,
  );

/** Lowest level that is logged. */
export const zLogLevel = z.enum(
  ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
  "must be one of trace, debug, info, warn, error, fatal, silent",
);

/** A whole number within bounds, both included. */
export function zInteger(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule);
}

/** Longest time that can be set: a day; a longer one is a mistake of the unit. */
const longestSeconds = 86_400;

/** A time in milliseconds, from 1 to a day. */
export const zMilliseconds = zInteger(1, longestSeconds * 1000);

/** A time in seconds, from 0 to a day; a fraction is allowed. */
export const zSeconds = z
  .string()
  .regex(/^\d{1,5}(?:\.\d{1,3})?$/, `must be a number of seconds from 0 to ${longestSeconds}`)
  .transform(Number)
  .refine(
    (seconds) => seconds <= longestSeconds,
    `must be a number of seconds from 0 to ${longestSeconds}`,
  );
