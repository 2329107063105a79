import { mayBeCorrected, QueryCorrections } from "../domain/query-corrections.ts";
import { textQuery } from "../domain/text-query.ts";
import type { QueryChunk, QueryWord } from "../domain/text-query.ts";
import { textKey } from "../domain/text-words.ts";
import type { Correction, WordList } from "../domain/word-list.ts";

/** A word to find. */
export interface SearchWord {
  readonly word: string;
  /** Whether longer words with this prefix match too. */
  readonly isPrefix: boolean;
}

/** Requires all words of any alternative; each word in any spelling. */
export type SearchChunk = readonly (readonly (readonly SearchWord[])[])[];

/** The chunks of a query with their spellings. */
export function searchChunks(
  chunks: readonly QueryChunk[],
  corrections: (word: QueryWord) => readonly Correction[] = () => [],
): SearchChunk[] {
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
  /** All required. */
  readonly chunks: readonly SearchChunk[];
  /** The text, folded like titles. */
  readonly key: string;
}

export interface ChosenMatch extends TextMatch {
  /** Whether no word was corrected. */
  readonly isAsTyped: boolean;
}

/**
 * How to search a text: as typed, if any offer has all words in its title, developer, publisher or tags; otherwise with
 * corrections: first the nearest words for unknown ones, then all words within the allowed edits.
 *
 * @param words loads the words for corrections
 * @param isNamed whether any offer has all words in those places; an accepted match is returned
 * @returns undefined when the text has no letter or digit
 */
export async function matchText(
  text: string,
  words: (typed: readonly QueryWord[]) => Promise<WordList>,
  isNamed: (match: TextMatch) => Promise<boolean>,
): Promise<ChosenMatch | undefined> {
  const query = textQuery(text);
  if (query.length === 0) return undefined;
  const key = textKey(text);
  const typed = { chunks: searchChunks(query), key, isAsTyped: true };
  const typedWords = query.flatMap(({ alternatives }) => alternatives.flat());
  if (!typedWords.some(mayBeCorrected) || (await isNamed(typed))) return typed;
  const corrections = new QueryCorrections(await words(typedWords));
  await corrections.lookUp(typedWords, { isKnownToo: false });
  const nearest = {
    chunks: searchChunks(query, (word) => corrections.nearest(word)),
    key,
    isAsTyped: false,
  };
  const isCorrected = typedWords.some((word) => corrections.nearest(word).length > 0);
  if (isCorrected && (await isNamed(nearest))) return nearest;
  await corrections.lookUp(typedWords, { isKnownToo: true });
  return {
    chunks: searchChunks(query, (word) => corrections.all(word)),
    key,
    isAsTyped: false,
  };
}
