/** All beginnings of a text, the whole of it included, by code points. */
export function letterPrefixes(text: string): string[] {
  let prefix = "";
  return Array.from(text, (letter) => (prefix += letter));
}
