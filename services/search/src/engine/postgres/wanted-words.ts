import type { QueryChunk, QueryWord } from "../../domain/text-query.ts";
import type { Correction } from "../../domain/word-list.ts";

/** A word to find. */
export interface WantedWord {
  readonly word: string;
  /** Longer words that begin so will do as well. */
  readonly isPrefix: boolean;
}

/** All words of any alternative; of each word any spelling. */
export type WantedChunk = readonly (readonly (readonly WantedWord[])[])[];

/** What chunks of a text ask for, in each spelling. */
export function wantedChunks(
  chunks: readonly QueryChunk[],
  corrections: (word: QueryWord) => readonly Correction[] = () => [],
): WantedChunk[] {
  return chunks.map(({ alternatives }) =>
    alternatives.map((words) =>
      words.map((typed) => [
        { word: typed.word, isPrefix: typed.isPrefix },
        ...corrections(typed).map(({ word }) => ({ word, isPrefix: false })),
      ]),
    ),
  );
}
