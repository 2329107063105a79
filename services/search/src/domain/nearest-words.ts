/** More would make a query slow and match anything. */
const maxCorrections = 50;

interface NearWord {
  readonly word: string;
  readonly edits: number;
  /** See {@link farness}. */
  readonly far: number;
}

/**
 * How far a word is, as a number to compare: by edits, then whether those are to the whole word or to how
 * it begins, then by its length, which is below 256. Between equal ones the alphabet decides.
 */
function farness(edits: number, isWhole: boolean, length: number): number {
  return (2 * edits + (isWhole ? 0 : 1)) * 256 + length;
}

/** The nearest 50 of many words: fewest edits first, whole words before beginnings, shorter ones first. */
export class NearestWords {
  #words: NearWord[] = [];
  /** Farness of the last of the first 50, once there are so many. */
  #farthest = Infinity;

  /** Whether a word of this length may be among them; false also says so of all longer ones. */
  takes(edits: number, isWhole: boolean, length: number): boolean {
    return farness(edits, isWhole, length) <= this.#farthest;
  }

  add(word: string, edits: number, isWhole: boolean): void {
    this.#words.push({ word, edits, far: farness(edits, isWhole, word.length) });
    if (this.#words.length < 4 * maxCorrections) return;
    this.#words = this.#sorted();
    this.#farthest = this.#words.at(-1)?.far ?? Infinity;
  }

  inOrder(): { word: string; edits: number }[] {
    return this.#sorted().map(({ word, edits }) => ({ word, edits }));
  }

  #sorted(): NearWord[] {
    return this.#words
      .toSorted((a, b) => a.far - b.far || (a.word < b.word ? -1 : 1))
      .slice(0, maxCorrections);
  }
}
