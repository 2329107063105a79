/** Separates a name from its id; no catalogue name has this control character. */
const separator = "\u001F";

/**
 * A name with the id that a filter takes, as one countable value: equal names with different ids differ.
 * Without an id the value ends in the separator.
 */
export function labelOf(name: string, id: string | undefined): string {
  return `${name}${separator}${id ?? ""}`;
}

/** The name and id of a label; any other value is the name. */
export function partsOfLabel(value: string): { readonly name: string; readonly id?: string } {
  const end = value.indexOf(separator);
  if (end === -1) return { name: value };
  const id = value.slice(end + 1);
  return { name: value.slice(0, end), ...(id !== "" && { id }) };
}
