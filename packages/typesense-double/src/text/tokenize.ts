import { cyrillicLetters, foldCharacter } from "./fold.ts";

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

/** Cuts a text into words. */
export type Tokenizer = (text: string) => string[];

/** Longer words are cut, in bytes. */
const wordSizeBytes = 100;

const cyrillicLocales: ReadonlySet<string> = new Set(["be", "bg", "el", "mk", "ru", "sr", "uk"]);

/** A tokenizer of these rules. */
export function tokenizer(rules: TokenRules): Tokenizer {
  return (text) => tokens(text, rules).map((token) => token.word);
}

/**
 * The words of a text: folded, punctuation removed and the parts around it joined, so that
 * `Half-Life` is one word.
 */
export function tokens(text: string, rules: TokenRules): Token[] {
  const byLocale = localeWords(text, rules);
  if (byLocale !== undefined) return byLocale;
  const found: Token[] = [];
  let current: Token | undefined;
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    if (isSeparator(character, rules)) {
      current = undefined;
    } else {
      const folded = rules.symbols.includes(character) ? character : foldCharacter(character);
      if (folded !== "") {
        if (current === undefined) found.push((current = { word: "", start: at, end }));
        current.word += folded;
        current.end = end;
      }
    }
    at = end;
  }
  return found.map((token) => ({ ...token, word: cut(token.word) }));
}

function isSeparator(character: string, rules: TokenRules): boolean {
  return character === " " || character === "\n" || rules.separators.includes(character);
}

function cut(word: string): string {
  const bytes = Buffer.from(word);
  return bytes.length <= wordSizeBytes ? word : bytes.subarray(0, wordSizeBytes).toString();
}

/**
 * The words of a text by a locale's own rules (dictionaries for Chinese, Japanese, Thai), case
 * folded; undefined for the default locale and English. Traditional Chinese is not turned into
 * simplified, as the server does, for want of its table.
 */
function localeWords(text: string, rules: TokenRules): Token[] | undefined {
  if (rules.locale === "" || rules.locale === "en" || rules.locale === "de_en") return undefined;
  const segments = new Intl.Segmenter(rules.locale, { granularity: "word" }).segment(text);
  const found: Token[] = [];
  for (const { segment, index } of segments) {
    const lower = segment.normalize("NFC").toLowerCase();
    const letters = cyrillicLocales.has(rules.locale)
      ? Array.from(lower, (letter) => cyrillicLetters.get(letter) ?? letter).join("")
      : lower;
    const word = Array.from(letters)
      .filter((character) => isIndexed(character, rules.symbols))
      .join("");
    if (word !== "" && !["，", "─", "。"].includes(word)) {
      found.push({ word, start: index, end: index + segment.length });
    }
  }
  return found;
}

function isIndexed(character: string, symbols: readonly string[]): boolean {
  return character > "\u{7f}" || /[a-z0-9]/u.test(character) || symbols.includes(character);
}
