import type { OfferHits, OfferSearch, OfferSelection } from "../../offer-search.ts";
import type { Turns } from "../turns.ts";
import { bestOf } from "./best-of.ts";
import type { SearchColumns } from "./index-columns.ts";
import { kept, matchColumns } from "./match-columns.ts";
import { matchTerms } from "./match-terms.ts";
import type { TermNumbersAsked } from "./match-terms.ts";
import { sortKeys } from "./sort-keys.ts";

/** What a text finds. */
export interface TextHits {
  readonly numbers: Int32Array;
  /** Of each; undefined when it was not asked for. Higher is better. */
  readonly relevances: Int32Array | undefined;
}

/** Others have their turn after so many offers were looked at, for each thing that is looked at: some milliseconds. */
export const offersAtOnce = 100_000;

/** The offers that there are, by number; only those of `text`, if there is one, in its order. */
export function offersWith(text: TextHits | undefined, { offers }: SearchColumns): Int32Array {
  const { present } = offers;
  return text === undefined
    ? presentOffers(present)
    : kept(text.numbers, (number) => present[number] === 1);
}

/** Those of some offers that a selection, its text aside, lets through, in their order. */
export async function foundAmong(
  all: Int32Array,
  columns: SearchColumns,
  { filter, nowMs, terms }: Omit<OfferSelection, "region"> & { terms: TermNumbersAsked },
  turns: Turns,
): Promise<Int32Array> {
  const { offers, prices, times } = columns;
  const { lowestSince } = times;
  const matching = matchColumns(all, filter, { offers, prices, lowestSince, nowMs });
  await turns.after(all.length);
  const found = matchTerms(matching, offers.terms, terms);
  await turns.after(matching.length);
  return found;
}

/** The ids of a page of what was found. */
export function pageOf(...of: Parameters<typeof numbersOfPage>): OfferHits["offerIds"] {
  const [, columns] = of;
  return numbersOfPage(...of).map((number) => columns.offers.ids.get(number));
}

/** The numbers of a page of what was found. */
export function numbersOfPage(
  found: Int32Array,
  columns: SearchColumns,
  search: Pick<OfferSearch, "order" | "offset" | "limit">,
  text: TextHits | undefined,
): number[] {
  if (search.limit === 0) return [];
  const { ids } = columns.offers;
  const keys = sortKeys(found, search.order, columns);
  const relevances = relevancesOf(found, text);
  const best = bestOf(found.length, search, (left, right) => {
    const byKey = (keys[left] as number) - (keys[right] as number);
    // Of two that lack the key it is not a number.
    if (byKey < 0 || byKey > 0) return byKey;
    const byRelevance = (relevances[right] ?? 0) - (relevances[left] ?? 0);
    return byRelevance || ids.compare(found[left] as number, found[right] as number);
  });
  return best.map((place) => found[place] as number);
}

function presentOffers(present: Uint8Array): Int32Array {
  const numbers = new Int32Array(present.length);
  let count = 0;
  for (let number = 0; number < present.length; number++) {
    if (present[number] === 1) numbers[count++] = number;
  }
  return numbers.subarray(0, count);
}

/** Of each that was found; none if they were not asked for. */
function relevancesOf(found: Int32Array, text: TextHits | undefined): Int32Array {
  if (text?.relevances === undefined) return new Int32Array();
  const relevances = new Int32Array(found.length);
  let hit = 0;
  for (let index = 0; index < found.length; index++) {
    // Some of the hits were not let through; those that were are in the order of the hits.
    while (hit < text.numbers.length && text.numbers[hit] !== found[index]) hit += 1;
    relevances[index] = text.relevances[hit] as number;
  }
  return relevances;
}
