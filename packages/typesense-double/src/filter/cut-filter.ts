import { TypesenseError } from "../typesense-error.ts";

/**
 * Cuts a filter into operands, operators and parentheses just as server 30 does, its weaknesses
 * included: every backtick flips quoting, an escaped one too, and after a colon a `(`, or a `[`
 * before a `(`, takes everything to its match, whether it is quoted or not.
 *
 * @throws TypesenseError 400 for a lone `&` or `|` and for brackets without their match.
 */
export function cutFilter(filter: string): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < filter.length) {
    const character = filter.charAt(at);
    if (character === " ") {
      at++;
    } else if (character === "(" || character === ")") {
      parts.push(character);
      at++;
    } else if (character === "&" || character === "|") {
      if (filter[at + 1] !== character) {
        throw new TypesenseError("Could not parse the filter filter_query.");
      }
      parts.push(character.repeat(2));
      at += 2;
    } else {
      const isJoin = character === "$" || (character === "!" && filter[at + 1] === "$");
      const end = isJoin ? cutJoin(filter, at) : cutOperand(filter, at);
      const operand = filter.slice(at, end).trim();
      if (operand !== "") parts.push(operand);
      at = end;
    }
  }
  return parts;
}

/** Where the operand that begins at `start` ends. */
function cutOperand(filter: string, start: number): number {
  let at = start;
  let quoted = false;
  let afterColon = false;
  let inGeoValue = false;
  for (;;) {
    const current = filter[at];
    if (current === ":") afterColon = true;
    if (current === ")") inGeoValue = false;
    if (current === "{" && !quoted && !afterColon && at > start && filter[at - 1] === ".") {
      return cutBraces(filter, at);
    }
    at++;
    const next = filter[at];
    if (next === undefined) return at;
    if (next === "`") quoted = !quoted;
    if (afterColon) {
      if (next === "(") inGeoValue = true;
      if (next === "[" && isGeoList(filter, at)) {
        return closing(filter, at, "[", "]", "Could not parse the geopoint filter.");
      }
      if (next !== " ") afterColon = false;
    }
    if (!quoted && !inGeoValue && endsOperand(filter, at)) return at;
  }
}

function isGeoList(filter: string, at: number): boolean {
  return /^\[ *\(/u.test(filter.slice(at));
}

function endsOperand(filter: string, at: number): boolean {
  return ["(", ")"].includes(filter.charAt(at)) || /^(?:&&|\|\|)/u.test(filter.slice(at, at + 2));
}

/**
 * Where an object filter (`object.{ … }`) ends: after the `}` that closes the `{` at `start`.
 *
 * @throws TypesenseError 400 when none does, or when another `{` stands between.
 */
function cutBraces(filter: string, start: number): number {
  const end = filter.indexOf("}", start);
  const nested = filter.indexOf("{", start + 1);
  if (nested !== -1 && (end === -1 || nested < end)) {
    throw new TypesenseError("Nested object filters are not supported.");
  }
  if (end === -1) {
    throw new TypesenseError("Could not parse the object filter: unbalanced curly braces.");
  }
  return end + 1;
}

/**
 * Where a join (`$Collection( … )`) ends: after the `)` that closes its first `(`.
 *
 * @throws TypesenseError 400 when none does.
 */
function cutJoin(filter: string, start: number): number {
  const open = filter.indexOf("(", start);
  const message = "Could not parse the reference filter.";
  if (open === -1) throw new TypesenseError(message);
  return closing(filter, open, "(", ")", message);
}

/**
 * Where the `open` at `start` is closed.
 *
 * @throws TypesenseError 400 with this message when it never is.
 */
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
  throw new TypesenseError(message);
}
