/** Letters of scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Whether a facet's value contains what was typed (docs/api/search.md). */
export function contains(value: string, typed: string): boolean {
  const words = wordsOf(value);
  return typed.split(/\s+/u).every((piece) => {
    const wanted = wordsOf(piece);
    if (wanted.length === 0) return folded(value).includes(folded(piece));
    return wanted.every((word) =>
      words.some((one, at) => one.includes(word) || words.slice(at).join("").indexOf(word) === 0),
    );
  });
}

function wordsOf(text: string): string[] {
  return (
    folded(text)
      .replace(unspaced, " $& ")
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

function folded(text: string): string {
  const bare = text.replace(/[™℠®©℗]/gu, "").normalize("NFKD");
  return bare
    .replace(/[\u0300-\u036f]/gu, "")
    .normalize("NFC")
    .toLowerCase();
}
