const dotlessI = "ı";

/**
 * Folds case as Unicode's CaseFolding.txt does (full folding, statuses C and F), so that two texts
 * that differ in case only become equal: `STRASSE` and `straße`, `ΣΊΣΥΦΟΣ` and `Σίσυφος`.
 *
 * The folded form of a part is a part of the folded form, so substrings can be looked for in it.
 */
export function foldCase(text: string): string {
  // Upper case joins what has no lower case of its own (ß, ﬁ, ſ); the dotless i alone is joined too much.
  return text.split(dotlessI).map(foldPart).join(dotlessI);
}

function foldPart(text: string): string {
  // Lower-casing writes a sigma at the end of a word differently; folding knows one sigma.
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
