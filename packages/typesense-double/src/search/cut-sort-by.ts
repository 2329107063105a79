import { TypesenseError } from "../typesense-error.ts";

/** One entry of `sort_by`, not yet understood. */
export interface SortClause {
  /** With its parentheses, if it has any. */
  name: string;
  order: string;
}

/**
 * Cuts `sort_by` at the commas outside brackets, and each entry at its last colon.
 *
 * @throws TypesenseError 400 when an entry has no colon, or nothing after it.
 */
export function cutSortBy(sortBy: string): SortClause[] {
  if (sortBy.trim() === "") return [];
  const entries: string[] = [""];
  let depth = 0;
  let quoted = false;
  for (const character of sortBy) {
    if (character === "`") quoted = !quoted;
    if (!quoted && "([".includes(character)) depth++;
    if (!quoted && ")]".includes(character)) depth--;
    if (character === "," && depth === 0 && !quoted) entries.push("");
    else entries[entries.length - 1] += character;
  }
  return entries.map((entry) => {
    const colon = entry.lastIndexOf(":");
    const clause = { name: entry.slice(0, colon).trim(), order: entry.slice(colon + 1).trim() };
    if (colon === -1 || clause.name === "" || clause.order === "") {
      throw new TypesenseError(400, "Parameter `sort_by` is malformed.");
    }
    return clause;
  });
}
