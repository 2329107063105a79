import { PackedLists } from "./packed-lists.ts";

/** Numbers of the terms of each offer. */
export class TermLists extends PackedLists<Int32Array> {
  /** Above every term that was ever there. */
  termsEnd = 0;

  constructor() {
    super(new Int32Array());
  }

  override set(number: number, terms: readonly number[]): void {
    super.set(number, terms);
    for (const term of terms) if (term >= this.termsEnd) this.termsEnd = term + 1;
  }
}

/** How many of the offers have each term, by its number. */
export function countTerms(
  offers: Int32Array,
  { starts, lengths, values: terms, termsEnd }: TermLists,
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
