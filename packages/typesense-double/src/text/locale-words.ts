import type { Token, TokenRules } from "./token.ts";

const cyrillicLocales: ReadonlySet<string> = new Set(["be", "bg", "el", "mk", "ru", "sr", "uk"]);

/** Letters as the server brings Cyrillic down to ASCII where a locale says so. */
const latin: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    а: "a",
    б: "b",
    в: "v",
    г: "g",
    ґ: "g",
    д: "d",
    ђ: "d",
    е: "e",
    ё: "e",
    є: "e",
    ж: "z",
    з: "z",
    и: "i",
    і: "i",
    ї: "i",
    й: "j",
    ј: "j",
    к: "k",
    л: "l",
    љ: "l",
    м: "m",
    н: "n",
    њ: "n",
    о: "o",
    п: "p",
    р: "r",
    с: "s",
    т: "t",
    ћ: "c",
    у: "u",
    ў: "u",
    ф: "f",
    х: "h",
    ц: "c",
    ч: "c",
    џ: "d",
    ш: "s",
    щ: "s",
    ъ: "",
    ы: "y",
    ь: "",
    э: "e",
    ю: "u",
    я: "a",
  }),
);

/**
 * The words of a text by a locale's own rules (dictionaries for Chinese, Japanese, Thai), case
 * folded; undefined for the default locale and English. Traditional Chinese is not turned into
 * simplified, as the server does, for want of its table.
 */
export function localeWords(text: string, rules: TokenRules): Token[] | undefined {
  if (rules.locale === "" || rules.locale === "en" || rules.locale === "de_en") return undefined;
  const segments = new Intl.Segmenter(rules.locale, { granularity: "word" }).segment(text);
  const found: Token[] = [];
  for (const { segment, index } of segments) {
    const lower = segment.normalize("NFC").toLowerCase();
    const letters = cyrillicLocales.has(rules.locale)
      ? Array.from(lower, (letter) => latin[letter] ?? letter).join("")
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
