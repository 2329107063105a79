import type { WantedChunk, WantedWord } from "../wanted-words.ts";
import type { WordColumns } from "./word-columns.ts";

/**
 * For each slot the rank of the places where all that is wanted stands: that of the worst placed of the
 * words that have to be there, each where it stands best; 0 where it is not all there.
 *
 * @param isWhole finds nothing that is longer than what was typed; default false
 * @returns undefined when it is not all there anywhere: most misspelt words are told by that alone.
 */
export function ranksOf(
  columns: WordColumns,
  chunks: readonly WantedChunk[],
  { isWhole = false }: { isWhole?: boolean } = {},
): Uint8Array | undefined {
  const { words, lists, slotsEnd } = columns;
  const ofSpellings = (spellings: readonly WantedWord[]) => {
    const numbers = spellings.flatMap(({ word, isPrefix }) =>
      isPrefix && !isWhole ? words.beginningWith(word) : [words.numberOf(word)],
    );
    if (!numbers.some((number) => lists.has(number))) return undefined;
    const ranks = new Uint8Array(slotsEnd);
    for (const number of numbers) lists.mark(number, ranks);
    return ranks;
  };
  // What is asked for again and again is looked up once.
  const unique = new Map(chunks.map((chunk) => [JSON.stringify(chunk), chunk]));
  return ofAll([...unique.values()], (alternatives) =>
    ofAny(alternatives, (wanted) => ofAll(wanted, ofSpellings)),
  );
}

type RanksOfPart<Part> = (part: Part) => Uint8Array | undefined;

/** The worst of the ranks of all parts. */
function ofAll<Part>(parts: readonly Part[], ranksOfPart: RanksOfPart<Part>) {
  let ranks: Uint8Array | undefined;
  for (const part of parts) {
    const others = ranksOfPart(part);
    // Further parts cannot make up for it.
    if (others === undefined) return undefined;
    if (ranks === undefined) ranks = others;
    else if (!lower(ranks, others)) return undefined;
  }
  return ranks;
}

/** The best of the ranks of all parts. */
function ofAny<Part>(parts: readonly Part[], ranksOfPart: RanksOfPart<Part>) {
  let ranks: Uint8Array | undefined;
  for (const part of parts) {
    const others = ranksOfPart(part);
    if (ranks === undefined) ranks = others;
    else if (others !== undefined) raise(ranks, others);
  }
  return ranks;
}

/** Whether any is left. */
function lower(ranks: Uint8Array, others: Uint8Array): boolean {
  let left = 0;
  for (let slot = 0; slot < ranks.length; slot++) {
    if ((others[slot] as number) < (ranks[slot] as number)) ranks[slot] = others[slot] as number;
    left |= ranks[slot] as number;
  }
  return left !== 0;
}

function raise(ranks: Uint8Array, others: Uint8Array): void {
  for (let slot = 0; slot < ranks.length; slot++) {
    if ((others[slot] as number) > (ranks[slot] as number)) ranks[slot] = others[slot] as number;
  }
}
