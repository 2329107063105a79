import { chunksOf, isUnspaced, letterPairs } from "./text-words.ts";

/** A word that must be there. */
export interface QueryWord {
  readonly word: string;
  /** Longer words that begin so will do as well. */
  readonly isPrefix: boolean;
  /** Whether misspellings of it are corrected: not for pairs of letters. */
  readonly isCorrectable: boolean;
}

/** One chunk of a query: all words of any alternative must be there. */
export interface QueryChunk {
  readonly alternatives: readonly (readonly QueryWord[])[];
}

/**
 * What a text asks for: all of its chunks. `half-life` asks for `half` and `life`, or for `halflife`. The
 * last word may be the beginning of one. No chunks when the text has no letter or digit.
 */
export function textQuery(text: string): QueryChunk[] {
  const chunks = chunksOf(text);
  return chunks.map(({ runs }, index) => {
    const isLast = index === chunks.length - 1;
    const apart = runs.flatMap((run, at) => wordsOf(run, isLast && at === runs.length - 1));
    if (runs.length === 1 || runs.some(isUnspaced)) return { alternatives: [apart] };
    const joined = { word: runs.join(""), isPrefix: isLast, isCorrectable: true };
    return { alternatives: [apart, [joined]] };
  });
}

function wordsOf(run: string, isLast: boolean): QueryWord[] {
  if (!isUnspaced(run)) return [{ word: run, isPrefix: isLast, isCorrectable: true }];
  return letterPairs(run).map((word) => ({ word, isPrefix: false, isCorrectable: false }));
}
