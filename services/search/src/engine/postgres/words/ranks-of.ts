import type { WantedChunk, WantedWord } from "../wanted-words.ts";
import type { WordColumns } from "./word-columns.ts";

/**
 * For each slot the rank of the places where all that is wanted stands: that of the worst placed of the
 * words that have to be there, each where it stands best; 0 where it is not all there.
 *
 * @param isWhole finds nothing that is longer than what was typed; default false
 */
export function ranksOf(
  columns: WordColumns,
  chunks: readonly WantedChunk[],
  { isWhole = false }: { isWhole?: boolean } = {},
): Uint8Array {
  const { words, lists, slotsEnd } = columns;
  const ofSpellings = (spellings: readonly WantedWord[]) => {
    const ranks = new Uint8Array(slotsEnd);
    for (const { word, isPrefix } of spellings) {
      const numbers = isPrefix && !isWhole ? words.beginningWith(word) : [words.numberOf(word)];
      for (const number of numbers) lists.mark(number, ranks);
    }
    return ranks;
  };
  const ofAll = <Part>(parts: readonly Part[], ranksOfPart: (part: Part) => Uint8Array) => {
    let ranks: Uint8Array | undefined;
    for (const part of parts) {
      const others = ranksOfPart(part);
      ranks = ranks === undefined ? others : lower(ranks, others);
      // The others cannot make up for it.
      if (!ranks.some((rank) => rank > 0)) break;
    }
    return ranks ?? new Uint8Array(slotsEnd);
  };
  // What is asked for again and again is looked up once.
  const unique = new Map(chunks.map((chunk) => [JSON.stringify(chunk), chunk]));
  return ofAll([...unique.values()], (alternatives) =>
    alternatives.map((wanted) => ofAll(wanted, ofSpellings)).reduce(higher),
  );
}

function lower(ranks: Uint8Array, others: Uint8Array): Uint8Array {
  for (let slot = 0; slot < ranks.length; slot++) {
    if ((others[slot] as number) < (ranks[slot] as number)) ranks[slot] = others[slot] as number;
  }
  return ranks;
}

function higher(ranks: Uint8Array, others: Uint8Array): Uint8Array {
  for (let slot = 0; slot < ranks.length; slot++) {
    if ((others[slot] as number) > (ranks[slot] as number)) ranks[slot] = others[slot] as number;
  }
  return ranks;
}
