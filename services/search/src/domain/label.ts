/** Between a name and its id; no name of a catalogue has this control character. */
const separator = "\u001F";

/**
 * A name with the id that a filter takes, as one value for engines to count: two of one name are two values. Without an
 * id the value ends in the separator.
 */
export function labelOf(name: string, id: string | undefined): string {
  return `${name}${separator}${id ?? ""}`;
}

/** The name and the id of a label; of any other value the value alone. */
export function partsOfLabel(value: string): { readonly name: string; readonly id?: string } {
  const end = value.indexOf(separator);
  if (end === -1) return { name: value };
  const id = value.slice(end + 1);
  return { name: value.slice(0, end), ...(id !== "" && { id }) };
}
