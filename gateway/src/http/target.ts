import { badRequest } from "../errors/public-error.ts";

export interface Target {
  /** As sent, without the query. */
  path: string;
  /** Parts of the path between slashes, percent-decoded. */
  segments: string[];
  /** As sent, without the question mark. */
  query: string;
}

/** The path of a request target, for logs: the query may have personal data. */
export function pathOf(target: string): string {
  const mark = target.indexOf("?");
  return mark === -1 ? target : target.slice(0, mark);
}

/** The target without scheme and host. */
export function originForm({ path, query }: Target): string {
  return query === "" ? path : `${path}?${query}`;
}

const visibleAscii = /^[\x21-\x7e]+$/;

/**
 * Takes a request target apart.
 *
 * @throws BAD_REQUEST for one that is not percent-encoded ASCII
 */
export function parseTarget(url: string): Target {
  if (!visibleAscii.test(url)) throw badRequest("The path and the query must be percent-encoded.");
  const local = url.startsWith("/") ? url : localPart(url);
  const path = pathOf(local);
  const parts = path.slice(1).split("/");
  return {
    path,
    segments: path.includes("%") ? parts.map((part) => percentDecoded(part, "The path")) : parts,
    query: local.slice(path.length + 1),
  };
}

/**
 * Percent-decodes UTF-8.
 *
 * @throws BAD_REQUEST naming `where`
 */
function percentDecoded(text: string, where: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(`${where} must be percent-encoded UTF-8.`);
  }
}

// Proxies send absolute targets (`GET http://host/path`). Any other, such as `*`, is a path that nothing has.
function localPart(url: string): string {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?]+/i.exec(url);
  if (absolute === null) return "/*";
  const rest = url.slice(absolute[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * The values of an operation's parameters; others are ignored, and an empty value counts as absent.
 *
 * @param known whether a parameter is a list, which is given once for each of its values
 * @throws BAD_REQUEST for another known parameter given twice and for malformed percent-encoding
 */
export function queryValues(
  query: string,
  known: ReadonlyMap<string, boolean>,
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  if (query === "") return values;
  const seen = new Set<string>();
  for (const pair of query.split("&")) {
    const sign = pair.indexOf("=");
    const name = decoded(sign === -1 ? pair : pair.slice(0, sign));
    const value = sign === -1 ? "" : decoded(pair.slice(sign + 1));
    const isList = known.get(name);
    if (isList === undefined) continue;
    if (seen.has(name) && !isList) throw badRequest(`${name} must be given only once.`);
    seen.add(name);
    if (value !== "") values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? percentDecoded(spaced, "The query") : spaced;
}
