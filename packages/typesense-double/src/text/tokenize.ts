import { foldCharacter } from "./fold.ts";
import { localeWords } from "./locale-words.ts";
import type { Token, TokenRules } from "./token.ts";

/** Cuts a text into words. */
export type Tokenizer = (text: string) => string[];

/** Longer words are cut, in bytes. */
const wordSizeBytes = 100;

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
