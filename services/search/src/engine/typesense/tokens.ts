import { createHash } from "node:crypto";

/**
 * Stands for a value of a kind in filters, byte for byte: two values share a token only if they are
 * equal, and no value has a letter that means anything in a filter. Typesense itself would take
 * `AT&T`, `at t` and `ATT` for one, and cannot filter by `!?` at all.
 */
export function valueToken(kind: string, value: string): string {
  return `v${digest(`${kind}\0${value}`, 24)}`;
}

/** Stands for a title's beginning; short, for a title has many, and two that share one do little harm. */
export function startToken(titleStart: string): string {
  return `s${digest(titleStart, 12)}`;
}

/** Stands for a word that is there. */
export function wordToken(word: string): string {
  return isPlain(word) ? `w${word}` : `x${digest(word, 24)}`;
}

/** Stands for a beginning of a word that is there. */
export function prefixToken(prefix: string): string {
  return isPlain(prefix) ? `p${prefix}` : `y${digest(prefix, 24)}`;
}

/** What words are found by, whole or by how they begin. */
export function searchableTokens(words: readonly string[]): string {
  const tokens = new Set<string>();
  for (const word of words) {
    tokens.add(wordToken(word));
    for (const prefix of letterPrefixes(word)) tokens.add(prefixToken(prefix));
  }
  return [...tokens].join(" ");
}

/** Sorts, as text, by code point. */
export function orderKey(text: string): string {
  return Buffer.from(text).toString("hex");
}

/** Other letters may be folded or cut by the server. */
function isPlain(word: string): boolean {
  return /^[a-z0-9]+$/.test(word);
}

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

/** All beginnings of a text, the whole of it included, by code points. */
export function letterPrefixes(text: string): string[] {
  let prefix = "";
  return Array.from(text, (letter) => (prefix += letter));
}
