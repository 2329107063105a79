import { setImmediate } from "node:timers/promises";
import type { QueryWord } from "./text-query.ts";
import { maxEdits } from "./word-list.ts";
import type { Correction, WordList } from "./word-list.ts";

/** Further words of a text are taken as they are: hardly any query misspells so many, and each takes some milliseconds. */
const maxLookups = 20;

/** Whether a word is long enough, and of a script, to be corrected. */
export function mayBeCorrected({ word, isCorrectable }: QueryWord): boolean {
  return isCorrectable && maxEdits(word) > 0;
}

/** What may have been meant by the words of one text. Each word is looked up once, and at most 20 are. */
export class QueryCorrections {
  readonly #list: WordList;
  readonly #found = new Map<string, readonly Correction[]>();

  constructor(list: WordList) {
    this.#list = list;
  }

  /** Looks words up, those that are not known or all of them. Between two others have their turn. */
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

  /** The nearest words to one that is not known; none for one that is. */
  nearest(typed: QueryWord): readonly Correction[] {
    if (!mayBeCorrected(typed) || this.#list.has(typed)) return [];
    const corrections = this.all(typed);
    return corrections.filter(({ edits }) => edits === corrections[0]?.edits);
  }

  /** All words within the edits allowed, of a word that was looked up. */
  all(typed: QueryWord): readonly Correction[] {
    return this.#found.get(keyOf(typed)) ?? [];
  }
}

function keyOf({ word, isPrefix }: QueryWord): string {
  return `${word} ${isPrefix}`;
}
