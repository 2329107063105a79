/** Letters of scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Whether a facet's value contains the typed text (docs/api/search.md), for texts without rare letters. */
export function valueContains(value: string, typed: string): boolean {
  const words = wordsOf(value);
  const pieces = typed.trim().split(/\s+/u);
  return pieces.every((piece) => {
    const wanted = wordsOf(piece);
    if (wanted.length === 0) return folded(value).includes(folded(piece));
    return wanted.every((word) =>
      words.some((one, at) => one.includes(word) || words.slice(at).join("").startsWith(word)),
    );
  });
}

function wordsOf(text: string): string[] {
  const apart = folded(text).replace(unspaced, " $& ");
  return apart.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function folded(text: string): string {
  const bare = text.replace(/[™℠®©℗]/gu, "").normalize("NFKD");
  return bare
    .replace(/[\u0300-\u036f]/gu, "")
    .normalize("NFC")
    .toLowerCase();
}

/** Separates the name of a counted value from its id. */
export const idSeparator = "\u001F";

/** A value and the number of rows that have it. */
export type ValueCount = readonly [value: string, count: number];

/** Most rows first, then by code point; values whose name has no letter or digit are not counted. */
export function countValues<Row>(
  rows: readonly Row[],
  valuesOf: (row: Row) => readonly (string | null | undefined)[],
): ValueCount[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const value of new Set(valuesOf(row))) {
      const name = value?.split(idSeparator)[0] ?? "";
      if (value && /[\p{L}\p{N}]/u.test(name)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const bytes = (value: string) => Buffer.from(value);
  return [...counts].toSorted(
    ([a, countA], [b, countB]) => countB - countA || Buffer.compare(bytes(a), bytes(b)),
  );
}
