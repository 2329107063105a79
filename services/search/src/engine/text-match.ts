import { mayBeCorrected, QueryCorrections } from "../domain/query-corrections.ts";
import { textQuery } from "../domain/text-query.ts";
import type { QueryChunk, QueryWord } from "../domain/text-query.ts";
import { textKey } from "../domain/text-words.ts";
import type { Correction, WordList } from "../domain/word-list.ts";

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

/** How a text finds offers. */
export interface TextMatch {
  /** All of them have to be there. */
  readonly chunks: readonly WantedChunk[];
  /** The text, folded, as titles are. */
  readonly key: string;
}

/** The way that was chosen of several. */
export interface ChosenMatch extends TextMatch {
  /** Whether it asks for what was typed and nothing else. */
  readonly isAsTyped: boolean;
}

/**
 * How to find what a text asks for. As typed, if any offer has all words in its title, developer,
 * publisher or tags; otherwise with what may have been meant: first the nearest words in place of those
 * that are not known, then all words within the edits allowed.
 *
 * @param words what corrections of the typed words are looked for in
 * @param isNamed whether any offer has what is wanted in those places; what it said yes to is returned
 * @returns undefined when the text has no letter or digit, which asks for nothing in particular.
 */
export async function matchText(
  text: string,
  words: (typed: readonly QueryWord[]) => Promise<WordList>,
  isNamed: (match: TextMatch) => Promise<boolean>,
): Promise<ChosenMatch | undefined> {
  const query = textQuery(text);
  if (query.length === 0) return undefined;
  const key = textKey(text);
  const typed = { chunks: wantedChunks(query), key, isAsTyped: true };
  const typedWords = query.flatMap(({ alternatives }) => alternatives.flat());
  if (!typedWords.some(mayBeCorrected) || (await isNamed(typed))) return typed;
  const corrections = new QueryCorrections(await words(typedWords));
  await corrections.lookUp(typedWords, { isKnownToo: false });
  const nearest = {
    chunks: wantedChunks(query, (word) => corrections.nearest(word)),
    key,
    isAsTyped: false,
  };
  const isCorrected = typedWords.some((word) => corrections.nearest(word).length > 0);
  if (isCorrected && (await isNamed(nearest))) return nearest;
  await corrections.lookUp(typedWords, { isKnownToo: true });
  return {
    chunks: wantedChunks(query, (word) => corrections.all(word)),
    key,
    isAsTyped: false,
  };
}
