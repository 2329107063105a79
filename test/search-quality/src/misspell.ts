/** Swaps, leaves out, doubles or replaces a letter past the first two of a word of five or more. */
export function misspell(word: string, turn: number): string {
  const at = 2 + (turn % (word.length - 3));
  const [before, letter = "", next = "", after] = [
    word.slice(0, at),
    word[at],
    word[at + 1],
    word.slice(at + 2),
  ];
  switch (Math.floor(turn / 5) % 4) {
    case 0:
      return `${before}${next}${letter}${after}`;
    case 1:
      return `${before}${next}${after}`;
    case 2:
      return `${before}${letter}${letter}${next}${after}`;
    default:
      return `${before}${letter === "e" ? "a" : "e"}${next}${after}`;
  }
}
