import { TypesenseError } from "../typesense-error.ts";

/**
 * The values of a list, cut at the commas outside backticks, which are taken off. `` \` `` is a
 * backtick of the value; an empty pair of backticks leaves the quoting open, as on the server.
 */
export function splitValues(list: string): string[] {
  const values: string[] = [];
  let value = "";
  let quoted = false;
  let previous = "";
  for (const character of list) {
    if (character === "`" && previous !== "\\") quoted = !(quoted && value !== "");
    else if (character === "," && !quoted) {
      values.push(value.trim());
      value = "";
    } else value += character;
    previous = character;
  }
  if (value !== "") values.push(value.trim());
  return values;
}

/** What stands between the brackets of `[…]`; undefined when the value is no list. */
export function listContent(value: string): string | undefined {
  return value.length > 1 && value.startsWith("[") && value.endsWith("]")
    ? value.slice(1, -1)
    : undefined;
}

/** The values of a list without quoting, empty ones left out. */
export function splitPlain(list: string, separator = ","): string[] {
  return list
    .split(separator)
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

/** The error about a field's value. */
export function valueError(name: string, problem: string): TypesenseError {
  return new TypesenseError(`Error with filter field \`${name}\`: ${problem}`);
}
