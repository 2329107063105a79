import { chunksOf, isUnspaced, letterPairs } from "./text-words.ts";

/** A required word. */
export interface QueryWord {
  readonly word: string;
  /** Whether longer words with this prefix match too. */
  readonly isPrefix: boolean;
  /** Whether misspellings are corrected: not for pairs of letters. */
  readonly isCorrectable: boolean;
}

/** One chunk of a query: requires all words of any alternative. */
export interface QueryChunk {
  readonly alternatives: readonly (readonly QueryWord[])[];
}

/**
 * The chunks of a text, all required. `half-life` matches `half` and `life`, or `halflife`. The last word may
 * be a prefix. Empty when the text has no letter or digit.
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
