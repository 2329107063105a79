import { latestLowestSinceMs } from "../../../domain/price-history.ts";
import { millionths } from "../../../domain/offer-fields.ts";
import type { OfferFilter } from "../../offer-search.ts";
import type { OfferColumns } from "./offer-columns.ts";
import type { TermLists } from "./packed-lists.ts";
import type { PriceColumns, PriceTimes } from "./price-columns.ts";

type Condition = (offer: number) => boolean;

/**
 * Those of some offers whose columns and prices pass a filter, except its text and terms.
 *
 * @param prices those of the region; undefined for an unknown region
 */
export function matchColumns(
  offers: Int32Array,
  filter: OfferFilter,
  columns: {
    offers: OfferColumns;
    prices: PriceColumns | undefined;
    lowestSince: PriceTimes | undefined;
    nowMs: number;
  },
): Int32Array {
  const latestMs = latestLowestSinceMs(filter.lowestPriceOf, columns.nowMs);
  const conditions = [
    ...offerConditions(filter, columns.offers, columns.nowMs),
    ...priceConditions(filter, columns.prices),
    ...(latestMs === undefined ? [] : [isLowestSince(columns.lowestSince, latestMs)]),
  ];
  let left = offers;
  for (const condition of conditions) left = filtered(left, condition);
  return left;
}

function offerConditions(
  filter: OfferFilter,
  { integers, hasGiveaway }: OfferColumns,
  nowMs: number,
): Condition[] {
  const conditions: Condition[] = [];
  // Comparisons with NaN (missing) are false.
  const { releaseDateMs: released, outSinceMs: out, firstGiveawayStartMs: started } = integers;
  const { ratingMillionths: rating } = integers;
  if (filter.only === "out" || latestLowestSinceMs(filter.lowestPriceOf, nowMs) !== undefined) {
    conditions.push((offer) => (out[offer] as number) <= nowMs);
  }
  if (filter.pastGiveaways) conditions.push((offer) => (started[offer] as number) <= nowMs);
  const least = millionths(filter.minRating ?? null);
  if (least !== undefined) conditions.push((offer) => (rating[offer] as number) >= least);
  if (filter.only === "released") conditions.push((offer) => (released[offer] as number) <= nowMs);
  if (filter.only === "upcoming") conditions.push((offer) => (released[offer] as number) > nowMs);
  if (filter.only === "givenAway") conditions.push((offer) => hasGiveaway[offer] === 1);
  return conditions;
}

/** Passes offers that have been the lowest since then or longer; missing values do not pass. */
function isLowestSince(lowestSince: PriceTimes | undefined, latestMs: number): Condition {
  return (offer) => (lowestSince?.times[offer] ?? Number.NaN) <= latestMs;
}

function priceConditions(filter: OfferFilter, prices: PriceColumns | undefined): Condition[] {
  const conditions: Condition[] = [];
  // Offers without a price may be beyond the end.
  const discounted = (offer: number) => prices?.discounted[offer] ?? -1;
  const isOnSale = (offer: number) => {
    const amount = discounted(offer);
    return amount >= 0 && amount < (prices?.original[offer] ?? -1);
  };
  if (filter.price !== undefined) {
    const { min = 0n, max } = filter.price;
    const least = Math.max(0, Number(min));
    const most = max === undefined ? Number.POSITIVE_INFINITY : Number(max);
    conditions.push((offer) => discounted(offer) >= least && discounted(offer) <= most);
  }
  if (filter.onSale === true) conditions.push(isOnSale);
  if (filter.onSale === false) conditions.push((offer) => !isOnSale(offer));
  if (filter.isLowestPrice) {
    conditions.push((offer) => discounted(offer) >= 0 && prices?.isLowest[offer] === 1);
  }
  return conditions;
}

/** The numbers that pass. A loop, since `filter` of an `Int32Array` takes eight times as long. */
export function filtered(numbers: Int32Array, passes: (number: number) => boolean): Int32Array {
  const passing = new Int32Array(numbers.length);
  let count = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number;
    if (passes(number)) passing[count++] = number;
  }
  return passing.subarray(0, count);
}

/** Conditions on terms, by number. */
export interface TermNumberConditions {
  /** All of these. */
  readonly all: readonly number[];
  /** Any of each of these lists. */
  readonly any: readonly (readonly number[])[];
  readonly none: readonly number[];
}

/** Bits of an integer without its sign. */
const bits = 31;

/** Those of some offers whose terms match. */
export function matchTerms(
  offers: Int32Array,
  lists: TermLists,
  { all, any, none }: TermNumberConditions,
): Int32Array {
  const wanted = [...new Set(all)].map((term) => [term]);
  let left = offers;
  // A bit for each required group, and one for forbidden terms.
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
  const matching = new Int32Array(offers.length);
  let count = 0;
  for (let index = 0; index < offers.length; index++) {
    const offer = offers[index] as number;
    const start = starts[offer] as number;
    const end = start + (lengths[offer] as number);
    let found = 0;
    for (let at = start; at < end; at++) found |= bitsOf[terms[at] as number] as number;
    if (found === required) matching[count++] = offer;
  }
  return matching.subarray(0, count);
}
