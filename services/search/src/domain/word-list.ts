import { NearestWords, WordTrie } from "./word-trie.ts";
import type { QueryWord } from "./text-query.ts";

/** A known word near a typed one. */
export interface Correction {
  readonly word: string;
  /** At least 1. */
  readonly edits: number;
}

/** Shorter words are too far from any corrected word, and pairs of letters of other scripts are too many. */
const leastLetters = 3;

/** The words of an index, in memory, for corrections. */
export class WordList {
  readonly #words = new WordTrie();

  /** Adds words; duplicates are ignored. */
  add(words: readonly string[]): void {
    for (const word of words) if (word.length >= leastLetters) this.#words.add(word);
  }

  /** Whether a word of four letters or more is known, or with `isPrefix` a prefix of a known one. */
  has({ word, isPrefix }: QueryWord): boolean {
    const node = this.#words.find(word);
    return node !== undefined && (isPrefix || this.#words.isWord(node));
  }

  /**
   * Known words within the edits that the word's length allows, nearest first, whole words before prefixes;
   * at most 50. Excludes the word itself.
   */
  corrections({ word: typed, isPrefix, isCorrectable }: QueryWord): Correction[] {
    const limit = maxEdits(typed);
    if (limit === 0 || !isCorrectable) return [];
    return findCorrections(this.#words, { typed, isPrefix, limit });
  }
}

/**
 * Walks the trie with a row of distances per letter, and turns back where no longer word can be near enough:
 * some ten thousand prefixes of a million words. Distances are optimal string alignment: a letter added,
 * removed or replaced, or two neighbours swapped.
 */
function findCorrections(
  words: WordTrie,
  { typed, isPrefix, limit }: { typed: string; isPrefix: boolean; limit: number },
): Correction[] {
  const best = new NearestWords();
  const columns = typed.length;
  const tooFar = limit + 1;
  const path: number[] = [];
  const rows = [Uint8Array.from({ length: columns + 1 }, (_, column) => column)];

  /** @param least edits to the nearest prefix so far */
  const visit = (node: number, depth: number, least: number): void => {
    const letter = words.letter(node);
    path[depth - 1] = letter;
    const row = (rows[depth] ??= new Uint8Array(columns + 1));
    const isNear = fillRow(row, depth);
    const isInBand = Math.abs(columns - depth) <= limit;
    const edits = isInBand ? (row[columns] ?? tooFar) : tooFar;
    const nearest = Math.min(least, edits);
    if (words.isWord(node)) note(depth, edits, nearest);
    for (let child = words.firstChild(node); child !== 0; child = words.nextSibling(child)) {
      if (isNear) visit(child, depth + 1, nearest);
      else if (mayBegin(nearest, depth + 1)) collect(child, depth + 1, nearest);
    }
  };

  /** Collects all words with this prefix; none is near as a whole. */
  const collect = (node: number, depth: number, nearest: number): void => {
    path[depth - 1] = words.letter(node);
    if (words.isWord(node)) note(depth, tooFar, nearest);
    if (!mayBegin(nearest, depth + 1)) return;
    for (let child = words.firstChild(node); child !== 0; child = words.nextSibling(child)) {
      collect(child, depth + 1, nearest);
    }
  };

  /** Whether longer words count by their prefix. Words that start as typed need no correction. */
  const mayBegin = (nearest: number, length: number) =>
    isPrefix && nearest > 0 && nearest <= limit && best.takes(nearest, false, length);

  const note = (length: number, whole: number, nearest: number): void => {
    const isWhole = whole <= limit;
    const edits = isWhole || !isPrefix ? whole : nearest;
    if (edits === 0 || edits > limit) return;
    if (best.takes(edits, isWhole, length)) {
      best.add(String.fromCharCode(...path.slice(0, length)), edits, isWhole);
    }
  };

  /** Computes distances within `limit` of the diagonal; false when all exceed it. */
  const fillRow = (row: Uint8Array, depth: number): boolean => {
    const last = rows[depth - 1] ?? row;
    const beforeLast = rows[depth - 2];
    const letter = path[depth - 1];
    const letterBefore = path[depth - 2];
    const from = Math.max(1, depth - limit);
    const to = Math.min(columns, depth + limit);
    let least = from === 1 ? depth : tooFar;
    row[from - 1] = least;
    for (let column = from; column <= to; column++) {
      const typedLetter = typed.charCodeAt(column - 1);
      let edits = Math.min(
        (last[column] ?? tooFar) + 1,
        (row[column - 1] ?? tooFar) + 1,
        (last[column - 1] ?? tooFar) + (typedLetter === letter ? 0 : 1),
      );
      const isSwapped =
        column > 1 &&
        beforeLast !== undefined &&
        typedLetter === letterBefore &&
        typed.charCodeAt(column - 2) === letter;
      if (isSwapped) edits = Math.min(edits, (beforeLast[column - 2] ?? tooFar) + 1);
      row[column] = edits;
      if (edits < least) least = edits;
    }
    row[to + 1] = tooFar;
    return least <= limit;
  };

  for (let child = words.firstChild(words.root); child !== 0; child = words.nextSibling(child)) {
    visit(child, 1, columns);
  }
  return best.sorted();
}

/** Allowed edits between a query word and a match: 1 from 4 letters, 2 from 8. */
export function maxEdits(word: string): number {
  const { length } = Array.from(word);
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}
