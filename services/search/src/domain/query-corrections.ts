import { maxEdits } from "./edit-distance.ts";
import type { QueryWord } from "./text-query.ts";
import type { Correction, WordList } from "./word-list.ts";

/** Further words of a text are taken as they are: each one is compared with every word that is known. */
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

  /** The nearest words to one that is not known; none for one that is. */
  nearest(typed: QueryWord): readonly Correction[] {
    if (!mayBeCorrected(typed) || this.#list.has(typed)) return [];
    const corrections = this.all(typed);
    return corrections.filter(({ edits }) => edits === corrections[0]?.edits);
  }

  /** All words within the edits allowed. */
  all(typed: QueryWord): readonly Correction[] {
    if (!mayBeCorrected(typed)) return [];
    const key = `${typed.word} ${typed.isPrefix}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    if (this.#found.size >= maxLookups) return [];
    const corrections = this.#list.corrections(typed);
    this.#found.set(key, corrections);
    return corrections;
  }
}
