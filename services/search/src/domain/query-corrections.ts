import { setImmediate } from "node:timers/promises";
import type { QueryWord } from "./text-query.ts";
import { maxEdits } from "./word-list.ts";
import type { Correction, WordList } from "./word-list.ts";

/** Later words are not corrected: few queries misspell so many, and each lookup takes some milliseconds. */
const maxLookups = 20;

/** Whether a word's length and script allow corrections. */
export function mayBeCorrected({ word, isCorrectable }: QueryWord): boolean {
  return isCorrectable && maxEdits(word) > 0;
}

/** Corrections for the words of one text. Each word is looked up once, at most 20 in all. */
export class QueryCorrections {
  readonly #list: WordList;
  readonly #found = new Map<string, readonly Correction[]>();

  constructor(list: WordList) {
    this.#list = list;
  }

  /** Looks up unknown words, or all of them. Yields to other work between two words. */
  async lookUp(
    words: readonly QueryWord[],
    { isKnownToo }: { isKnownToo: boolean },
  ): Promise<void> {
    for (const word of words) {
      const key = keyOf(word);
      if (!mayBeCorrected(word) || this.#found.has(key)) continue;
      if (this.#found.size >= maxLookups) return;
      if (!isKnownToo && this.#list.has(word)) continue;
      this.#found.set(key, this.#list.corrections(word));
      await setImmediate();
    }
  }

  /** The nearest words to an unknown word; none for a known one. */
  nearest(typed: QueryWord): readonly Correction[] {
    if (!mayBeCorrected(typed) || this.#list.has(typed)) return [];
    const corrections = this.all(typed);
    return corrections.filter(({ edits }) => edits === corrections[0]?.edits);
  }

  /** All words within the allowed edits of a looked-up word. */
  all(typed: QueryWord): readonly Correction[] {
    return this.#found.get(keyOf(typed)) ?? [];
  }
}

function keyOf({ word, isPrefix }: QueryWord): string {
  return `${word} ${isPrefix}`;
}
