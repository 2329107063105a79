import type { OfferHits, OfferSearch, OfferSelection } from "../../offer-search.ts";
import { bestOf } from "./best-of.ts";
import type { SearchColumns } from "./index-columns.ts";
import { matchColumns } from "./match-columns.ts";
import { matchTerms } from "./match-terms.ts";
import type { TermNumbersAsked } from "./match-terms.ts";
import { sortKeys } from "./sort-keys.ts";

/** What a text finds. */
export interface TextHits {
  readonly numbers: Int32Array;
  /** Of each; undefined when it was not asked for. Higher is better. */
  readonly relevances: Int32Array | undefined;
}

/** The offers that a selection lets through, by number; only those of `text`, if there is one. */
export function foundOffers(
  columns: SearchColumns,
  { filter, nowMs }: OfferSelection,
  { terms, text }: { terms: TermNumbersAsked; text: TextHits | undefined },
): Int32Array {
  const { offers, prices } = columns;
  const { present } = offers;
  const all =
    text === undefined
      ? presentOffers(present)
      : text.numbers.filter((number) => present[number] === 1);
  return matchTerms(matchColumns(all, filter, { offers, prices, nowMs }), offers.terms, terms);
}

/** The ids of a page of what was found. */
export function pageOf(
  found: Int32Array,
  columns: SearchColumns,
  search: Pick<OfferSearch, "order" | "offset" | "limit">,
  text: TextHits | undefined,
): OfferHits["offerIds"] {
  if (search.limit === 0) return [];
  const { ids } = columns.offers;
  const keys = sortKeys(found, search.order, columns);
  const relevanceOf = relevancesOf(text, columns.offers.present.length);
  const best = bestOf(found.length, search, (left, right) => {
    const byKey = (keys[left] as number) - (keys[right] as number);
    // Of two that lack the key it is not a number.
    if (byKey < 0 || byKey > 0) return byKey;
    const leftOffer = found[left] as number;
    const rightOffer = found[right] as number;
    const byRelevance = relevanceOf(rightOffer) - relevanceOf(leftOffer);
    return byRelevance || ids.compare(leftOffer, rightOffer);
  });
  return best.map((place) => ids.get(found[place] as number));
}

function presentOffers(present: Uint8Array): Int32Array {
  const numbers = new Int32Array(present.length);
  let count = 0;
  for (let number = 0; number < present.length; number++) {
    if (present[number] === 1) numbers[count++] = number;
  }
  return numbers.subarray(0, count);
}

function relevancesOf(text: TextHits | undefined, length: number): (offer: number) => number {
  if (text?.relevances === undefined) return () => 0;
  const relevances = new Float64Array(length);
  for (let index = 0; index < text.numbers.length; index++) {
    // What lies beyond the end is not there yet.
    relevances[text.numbers[index] as number] = text.relevances[index] as number;
  }
  return (offer) => relevances[offer] as number;
}
