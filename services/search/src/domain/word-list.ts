import { editDistance, maxEdits } from "./edit-distance.ts";
import type { QueryWord } from "./text-query.ts";

/** A known word near a typed one. */
export interface Correction {
  readonly word: string;
  /** At least 1. */
  readonly edits: number;
}

/** More would make a query slow and match anything. */
const maxCorrections = 50;

/** The words of an index, in memory, to correct what people type. */
export class WordList {
  readonly #words: string[] = [];
  /** Of each word, a bit for each letter it has, so that most words are dismissed at once. */
  readonly #letters: number[] = [];

  /** Adds words that are not in it. */
  add(words: readonly string[]): void {
    for (const word of words) {
      this.#words.push(word);
      this.#letters.push(lettersOf(word));
    }
  }

  /** Whether the word is known, or begins a known one if it may. */
  has({ word: typed, isPrefix }: QueryWord): boolean {
    return this.#words.some((word) => (isPrefix ? word.startsWith(typed) : word === typed));
  }

  /**
   * Known words within the edits that the word's length allows, nearest first, whole words before
   * beginnings; at most 50. The word itself is none of them.
   */
  corrections({ word: typed, isPrefix, isCorrectable }: QueryWord): Correction[] {
    const limit = maxEdits(typed);
    if (limit === 0 || !isCorrectable) return [];
    const letters = lettersOf(typed);
    const found: (Correction & { isWhole: boolean })[] = [];
    for (const [index, word] of this.#words.entries()) {
      if (word.length < typed.length - limit) continue;
      if (!isPrefix && word.length > typed.length + limit) continue;
      if (bitCount(letters & ~(this.#letters[index] ?? 0)) > limit) continue;
      const whole = editDistance(typed, word, { limit, isPrefix: false });
      if (whole === 0) continue;
      const edits =
        whole > limit && isPrefix ? editDistance(typed, word, { limit, isPrefix }) : whole;
      if (edits === 0 || edits > limit) continue;
      found.push({ word, edits, isWhole: whole <= limit });
    }
    return found
      .toSorted(
        (a, b) =>
          a.edits - b.edits ||
          Number(b.isWhole) - Number(a.isWhole) ||
          a.word.length - b.word.length ||
          (a.word < b.word ? -1 : 1),
      )
      .slice(0, maxCorrections)
      .map(({ word, edits }) => ({ word, edits }));
  }
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
