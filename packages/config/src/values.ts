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

/** A secret that callers present; at least 16 characters, so that it cannot be guessed. */
export const zToken = z.string().min(16, "must be at least 16 characters long");

/** Lowest level that is logged. */
export const zLogLevel = z.enum(
  ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
  "must be one of trace, debug, info, warn, error, fatal, silent",
);
