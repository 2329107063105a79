import { badRequest } from "../errors/public-error.ts";
import { percentDecoded } from "./target.ts";

/**
 * The values of the parameters that an operation knows; others are ignored, and an empty value
 * counts as absent.
 *
 * @throws BAD_REQUEST for a known parameter given twice and for malformed percent-encoding
 */
export function queryValues(query: string, known: ReadonlySet<string>): Map<string, string> {
  const values = new Map<string, string>();
  if (query === "") return values;
  const seen = new Set<string>();
  for (const pair of query.split("&")) {
    const sign = pair.indexOf("=");
    const name = decoded(sign === -1 ? pair : pair.slice(0, sign));
    const value = sign === -1 ? "" : decoded(pair.slice(sign + 1));
    if (!known.has(name)) continue;
    if (seen.has(name)) throw badRequest(`${name} must be given only once.`);
    seen.add(name);
    if (value !== "") values.set(name, value);
  }
  return values;
}

function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? percentDecoded(spaced, "The query") : spaced;
}
