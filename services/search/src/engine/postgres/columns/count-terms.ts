import type { TermLists } from "./term-lists.ts";

/** How many of the offers have each term, by its number. */
export function countTerms(
  offers: Int32Array,
  { starts, lengths, terms, termsEnd }: TermLists,
): Int32Array {
  const counts = new Int32Array(termsEnd);
  for (let index = 0; index < offers.length; index++) {
    const offer = offers[index] as number;
    const start = starts[offer] as number;
    const end = start + (lengths[offer] as number);
    for (let at = start; at < end; at++) (counts[terms[at] as number] as number)++;
  }
  return counts;
}
