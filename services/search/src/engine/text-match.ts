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

/** The match that found offers. */
export interface ChosenMatch {
  readonly chunks: readonly SearchChunk[];
  /** Whether no word was corrected. */
  readonly isAsTyped: boolean;
}

/**
 * Searches a text as typed, if any offer has all words in its title, developer, publisher or tags; otherwise with
 * corrections: first the nearest words for unknown ones, then all words within the allowed edits.
 *
 * @param words loads the words for corrections
 * @param find `isNamed` is whether any offer has all words in those places
 * @returns undefined when the text has no letter or digit
 */
export async function matchText<Found extends { readonly isNamed: boolean }>(
  text: string,
  words: () => Promise<WordList>,
  find: (match: TextMatch) => Promise<Found>,
): Promise<(Found & ChosenMatch) | undefined> {
  const query = textQuery(text);
  if (query.length === 0) return undefined;
  const key = textKey(text);
  const findBy = async (chunks: readonly SearchChunk[], isAsTyped: boolean) => ({
    ...(await find({ chunks, key })),
    chunks,
    isAsTyped,
  });
  const typed = await findBy(searchChunks(query), true);
  const typedWords = query.flatMap(({ alternatives }) => alternatives.flat());
  if (typed.isNamed || !typedWords.some(mayBeCorrected)) return typed;
  const corrections = new QueryCorrections(await words());
  await corrections.lookUp(typedWords, { isKnownToo: false });
  if (typedWords.some((word) => corrections.nearest(word).length > 0)) {
    const nearest = await findBy(
      searchChunks(query, (word) => corrections.nearest(word)),
      false,
    );
    if (nearest.isNamed) return nearest;
  }
  await corrections.lookUp(typedWords, { isKnownToo: true });
  return await findBy(
    searchChunks(query, (word) => corrections.all(word)),
    false,
  );
}
