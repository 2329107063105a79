/** A word of a text and where it stands in it, in UTF-16 units, the end left out. */
export interface Token {
  word: string;
  start: number;
  end: number;
}

/** What may deviate from cutting at white space and dropping punctuation. */
export interface TokenRules {
  /** Empty for the default: words are what white space separates. */
  locale: string;
  /** ASCII signs that belong to words. */
  symbols: readonly string[];
  /** ASCII signs that separate words, as white space does. */
  separators: readonly string[];
}
