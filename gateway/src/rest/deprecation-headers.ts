import type { Deprecation } from "../operations/operation.ts";

/**
 * The headers of a deprecated operation's answers, names and values in turn: `Deprecation` by RFC 9745,
 * a date of structured fields, and `Sunset` by RFC 8594, a date of HTTP.
 */
export function deprecationHeaders({ since, sunset }: Deprecation): string[] {
  const headers = ["Deprecation", `@${Math.floor(Date.parse(since) / 1000)}`];
  if (sunset !== undefined) headers.push("Sunset", new Date(sunset).toUTCString());
  return headers;
}
