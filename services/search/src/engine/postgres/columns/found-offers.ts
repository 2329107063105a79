import type { OfferHits, OfferSearch, OfferSelection, PagePosition } from "../../offer-search.ts";
import type { Turns } from "../turns.ts";
import type { SearchColumns } from "./index-columns.ts";
import { filtered, matchColumns, matchTerms } from "./match-columns.ts";
import type { TermNumberConditions } from "./match-columns.ts";
import { sortKeys } from "./sort-keys.ts";

/**
 * The best positions below a count, best first, from an offset on. A heap of the page's size examines each position
 * once.
 *
 * @param compare negative when the first position is better; never 0 for two positions
 */
export function bestOf(
  count: number,
  { offset, limit }: { offset: number; limit: number },
  compare: (left: number, right: number) => number,
): number[] {
  const size = Math.min(offset + limit, count);
  if (size === 0) return [];
  // The worst of the best is first.
  const heap = new Int32Array(size);
  for (let place = 0; place < size; place++) siftUp(heap, place, compare);
  for (let place = size; place < count; place++) {
    if (compare(place, heap[0] as number) < 0) siftDown(heap, place, compare);
  }
  return [...heap.toSorted(compare).subarray(offset)];
}

/** Adds a position to the heap. */
function siftUp(
  heap: Int32Array,
  place: number,
  compare: (left: number, right: number) => number,
): void {
  let at = place;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (compare(place, heap[parent] as number) < 0) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = place;
}

/** Replaces the first position. */
function siftDown(
  heap: Int32Array,
  place: number,
  compare: (left: number, right: number) => number,
): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    const isRightWorse =
      child + 1 < heap.length && compare(heap[child] as number, heap[child + 1] as number) < 0;
    if (isRightWorse) child += 1;
    if (compare(place, heap[child] as number) > 0) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = place;
}

/** Offers that a text finds. */
export interface TextHits {
  readonly numbers: Int32Array;
  /** Of each; undefined when not requested. Higher is better. */
  readonly relevances: Int32Array | undefined;
}

export interface NamedHits extends TextHits {
  /** Whether any has all words in its title, developer, publisher or tags. */
  readonly isNamed: boolean;
}

/** Work yields after this many offers per step: some milliseconds. */
export const offersPerTurn = 100_000;

/** Existing offers by number; with `text` only its hits, in their order. */
export function offersWith(text: TextHits | undefined, { offers }: SearchColumns): Int32Array {
  const { present } = offers;
  return text === undefined
    ? presentOffers(present)
    : filtered(text.numbers, (number) => present[number] === 1);
}

/** Those of some offers that pass a selection, except its text, in order. */
export async function foundAmong(
  all: Int32Array,
  columns: SearchColumns,
  { filter, nowMs, terms }: Omit<OfferSelection, "region"> & { terms: TermNumberConditions },
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

/** A page of the results, by number and by id. */
export function pageOf(
  found: Int32Array,
  columns: SearchColumns,
  search: Pick<OfferSearch, "order" | "offset" | "limit" | "after">,
  text: TextHits | undefined,
): Pick<OfferHits, "offerIds" | "end"> & { readonly numbers: readonly number[] } {
  const { order, limit, after } = search;
  if (limit === 0) return { numbers: [], offerIds: [], end: undefined };
  const { ids } = columns.offers;
  const keys = sortKeys(found, order, columns);
  const relevances = relevancesOf(found, text);
  const places = after && placesAfter(after, { found, keys, relevances, ids });
  const count = places?.length ?? found.length;
  const offset = after === undefined ? search.offset : 0;
  const placeOf = (index: number) => (places === undefined ? index : (places[index] as number));
  const best = bestOf(count, { offset, limit }, (leftIndex, rightIndex) => {
    const [left, right] = [placeOf(leftIndex), placeOf(rightIndex)];
    return (
      compareRanks(keys[left], keys[right], relevances[left], relevances[right]) ||
      ids.compare(found[left] as number, found[right] as number)
    );
  }).map(placeOf);
  const numbers = best.map((place) => found[place] as number);
  const offerIds = numbers.map((number) => ids.get(number));
  const last = best.at(-1);
  if (last === undefined || offset + best.length >= count) {
    return { numbers, offerIds, end: undefined };
  }
  const key = keys[last] as number;
  const end = {
    key: Number.isFinite(key) ? key : null,
    relevance: String(relevances[last] ?? 0),
    offerIds: offerIds.slice(-1),
    offset: found.length - count + offset + best.length - 1,
  };
  return { numbers, offerIds, end };
}

/** Orders by key ascending, then by relevance descending. */
function compareRanks(
  leftKey = Number.POSITIVE_INFINITY,
  rightKey = Number.POSITIVE_INFINITY,
  leftRelevance = 0,
  rightRelevance = 0,
): number {
  // The difference of two missing (infinite) keys would be NaN.
  return leftKey === rightKey ? rightRelevance - leftRelevance : leftKey - rightKey;
}

/** Indexes of the offers after a position. */
function placesAfter(
  { key, relevance, offerIds: [offerId = ""] }: PagePosition,
  {
    found,
    keys,
    relevances,
    ids,
  }: Pick<SearchColumns["offers"], "ids"> & {
    found: Int32Array;
    keys: Float64Array;
    relevances: Int32Array;
  },
): Int32Array {
  const [lastKey, lastRelevance, lastId] = [
    key ?? undefined,
    Number(relevance),
    Buffer.from(offerId),
  ];
  const places = new Int32Array(found.length);
  let count = 0;
  for (let place = 0; place < found.length; place++) {
    const order =
      compareRanks(keys[place], lastKey, relevances[place], lastRelevance) ||
      ids.compareWith(found[place] as number, lastId);
    if (order > 0) places[count++] = place;
  }
  return places.subarray(0, count);
}

function presentOffers(present: Uint8Array): Int32Array {
  const numbers = new Int32Array(present.length);
  let count = 0;
  for (let number = 0; number < present.length; number++) {
    if (present[number] === 1) numbers[count++] = number;
  }
  return numbers.subarray(0, count);
}

/** The relevance of each result; empty when not requested. */
function relevancesOf(found: Int32Array, text: TextHits | undefined): Int32Array {
  if (text?.relevances === undefined) return new Int32Array();
  const relevances = new Int32Array(found.length);
  let hit = 0;
  for (let index = 0; index < found.length; index++) {
    // Results are a subset of the hits in the same order.
    while (hit < text.numbers.length && text.numbers[hit] !== found[index]) hit += 1;
    relevances[index] = text.relevances[hit] as number;
  }
  return relevances;
}
