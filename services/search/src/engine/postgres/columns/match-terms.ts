import type { TermLists } from "./term-lists.ts";

/** What is asked of an offer's terms, by number. */
export interface TermNumbersAsked {
  /** All of these. */
  readonly all: readonly number[];
  /** Any of each of these lists. */
  readonly any: readonly (readonly number[])[];
  readonly none: readonly number[];
}

/** Bits of an integer in JavaScript that are free of its sign. */
const bits = 31;

/** The offers, of those given, whose terms are as is asked. */
export function matchTerms(
  offers: Int32Array,
  lists: TermLists,
  { all, any, none }: TermNumbersAsked,
): Int32Array {
  const wanted = [...new Set(all)].map((term) => [term]);
  let left = offers;
  // A bit for each that must be there, and one for what must not.
  const groups = [...wanted, ...any];
  for (let from = 0; from < groups.length; from += bits - 1) {
    left = keep(left, lists, groups.slice(from, from + bits - 1), []);
  }
  return none.length === 0 ? left : keep(left, lists, [], none);
}

function keep(
  offers: Int32Array,
  { starts, lengths, values: terms, termsEnd }: TermLists,
  groups: readonly (readonly number[])[],
  none: readonly number[],
): Int32Array {
  const bitsOf = new Int32Array(termsEnd);
  for (const [index, group] of groups.entries()) {
    for (const term of group)
      if (term < termsEnd) bitsOf[term] = (bitsOf[term] ?? 0) | (1 << index);
  }
  const forbidden = 1 << (bits - 1);
  for (const term of none) if (term < termsEnd) bitsOf[term] = (bitsOf[term] ?? 0) | forbidden;
  const required = 2 ** groups.length - 1;
  const kept = new Int32Array(offers.length);
  let count = 0;
  for (let index = 0; index < offers.length; index++) {
    const offer = offers[index] as number;
    const start = starts[offer] as number;
    const end = start + (lengths[offer] as number);
    let found = 0;
    for (let at = start; at < end; at++) found |= bitsOf[terms[at] as number] as number;
    if (found === required) kept[count++] = offer;
  }
  return kept.subarray(0, count);
}
