import { TypesenseError } from "../typesense-error.ts";

/**
 * Where a list of geo values ends: after the `]` that closes the `[` at `start`.
 *
 * @throws TypesenseError 400 when none does.
 */
export function cutSquareBrackets(filter: string, start: number): number {
  return closing(filter, start, "[", "]", "Could not parse the geopoint filter.");
}

/**
 * Where an object filter (`object.{ … }`) ends: after the `}` that closes the `{` at `start`.
 *
 * @throws TypesenseError 400 when none does, or when another `{` stands between.
 */
export function cutBraces(filter: string, start: number): number {
  const unbalanced = "Could not parse the object filter: unbalanced curly braces.";
  const end = filter.indexOf("}", start);
  const nested = filter.indexOf("{", start + 1);
  if (nested !== -1 && (end === -1 || nested < end)) {
    throw new TypesenseError(400, "Nested object filters are not supported.");
  }
  if (end === -1) throw new TypesenseError(400, unbalanced);
  return end + 1;
}

/**
 * Where a join (`$Collection( … )`) ends: after the `)` that closes its first `(`.
 *
 * @throws TypesenseError 400 when none does.
 */
export function cutJoin(filter: string, start: number): number {
  const open = filter.indexOf("(", start);
  const message = "Could not parse the reference filter.";
  if (open === -1) throw new TypesenseError(400, message);
  return closing(filter, open, "(", ")", message);
}

function closing(
  filter: string,
  start: number,
  open: string,
  close: string,
  message: string,
): number {
  let depth = 0;
  for (let at = start; at < filter.length; at++) {
    if (filter[at] === open) depth++;
    if (filter[at] === close) depth--;
    if (depth === 0) return at + 1;
  }
  throw new TypesenseError(400, message);
}
