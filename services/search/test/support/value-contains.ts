const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Whether a value contains what was typed, by the sentences of the contract, for texts without rare letters. */
export function valueContains(value: string, typed: string): boolean {
  const words = wordsOf(value);
  const writtenTogether = words.map((_, from) => words.slice(from).join(""));
  return typed
    .trim()
    .split(/\s+/u)
    .every((piece) => {
      const typedWords = wordsOf(piece);
      if (typedWords.length === 0) return folded(value).includes(folded(piece));
      return typedWords.every(
        (word) =>
          words.some((one) => one.indexOf(word) !== -1) ||
          writtenTogether.some((one) => one.slice(0, word.length) === word),
      );
    });
}

function wordsOf(text: string): string[] {
  const apart = folded(text).replace(unspacedRuns, " $& ");
  return apart.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
}

function folded(text: string): string {
  const plain = text.replace(/[™℠®©℗]/gu, "").normalize("NFKD");
  return plain
    .replace(/[\u0300-\u036f]/gu, "")
    .normalize("NFC")
    .toLowerCase();
}
