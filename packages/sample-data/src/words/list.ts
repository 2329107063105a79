/** The words of a text, separated by white space. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** The lines of a text, trimmed, without blank ones. */
export function phrases(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
