const dotlessI = "ı";

/**
 * Folds case as Unicode's CaseFolding.txt does (full folding, statuses C and F), so that two texts
 * that differ in case only become equal: `STRASSE` and `straße`, `ΣΊΣΥΦΟΣ` and `Σίσυφος`.
 *
 * The folded form of a substring is a substring of the folded form, which allows searches for substrings.
 */
export function foldCase(text: string): string {
  // Upper case unifies letters without a lower case of their own (ß, ﬁ, ſ) and, wrongly, the dotless i.
  return text.split(dotlessI).map(foldPart).join(dotlessI);
}

function foldPart(text: string): string {
  // Lower-casing writes a sigma at the end of a word differently; folding knows one sigma.
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
