import type { WantedChunk, WantedWord } from "../../text-match.ts";
import type { WordColumns } from "./word-columns.ts";

/** The words, by number, any of which will do in one place of a text. */
export interface WordGroup {
  /** As they were typed, or corrected. */
  readonly whole: readonly number[];
  /** Those that begin as was typed. */
  readonly begun: readonly number[];
  /** Postings of all of them. */
  readonly size: number;
}

/** Groups that have to be there all, in any of the alternatives; the smaller ones come first. */
export type GroupedChunk = readonly (readonly WordGroup[])[];

/**
 * The words that chunks of a text ask for. Those chunks come first that are found in the fewest places: what
 * is there cuts off the most of what others have to be looked for in.
 *
 * @returns undefined when one of them is nowhere: most misspelt words are told by that alone.
 */
export function groupWords(
  columns: WordColumns,
  chunks: readonly WantedChunk[],
): GroupedChunk[] | undefined {
  // What is asked for again and again is looked up once.
  const unique = new Map(chunks.map((chunk) => [JSON.stringify(chunk), chunk]));
  const grouped: GroupedChunk[] = [];
  for (const alternatives of unique.values()) {
    const possible = alternatives
      .map((words) => words.map((spellings) => groupOf(columns, spellings)).toSorted(bySize))
      .filter(([smallest]) => smallest !== undefined && smallest.size > 0);
    if (possible.length === 0) return undefined;
    grouped.push(possible);
  }
  return grouped.toSorted((left, right) => mostOf(left) - mostOf(right));
}

function groupOf({ words, lists }: WordColumns, spellings: readonly WantedWord[]): WordGroup {
  const whole = spellings.map(({ word }) => words.numberOf(word));
  const begun = spellings.flatMap(({ word, isPrefix }) =>
    isPrefix ? words.beginningWith(word) : [],
  );
  let size = 0;
  for (const numbers of [whole, begun]) {
    for (const number of numbers) size += lists.countOf(number);
  }
  return { whole, begun, size };
}

function bySize(left: WordGroup, right: WordGroup): number {
  return left.size - right.size;
}

/** Most places that a chunk may be found in. */
function mostOf(chunk: GroupedChunk): number {
  return chunk.reduce((sum, [smallest]) => sum + (smallest?.size ?? 0), 0);
}
