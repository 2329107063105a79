import { latestLowestSinceMs } from "../../../domain/price-history.ts";
import type { OfferFilter } from "../../offer-search.ts";
import type { OfferColumns } from "./offer-columns.ts";
import type { PriceColumns } from "./price-columns.ts";
import type { PriceTimes } from "./price-times.ts";

type Condition = (offer: number) => boolean;

/**
 * The offers, of those given, whose columns and prices are as a filter asks; its text and terms are
 * not looked at.
 *
 * @param prices those of the region; undefined for a region that does not exist
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
  for (const condition of conditions) left = kept(left, condition);
  return left;
}

function offerConditions(
  filter: OfferFilter,
  { integers, hasGiveaway }: OfferColumns,
  nowMs: number,
): Condition[] {
  const conditions: Condition[] = [];
  // Comparisons with NaN, what is missing, are false.
  const { releaseDateMs: released, outSinceMs: out, firstGiveawayStartMs: started } = integers;
  if (filter.only === "out" || latestLowestSinceMs(filter.lowestPriceOf, nowMs) !== undefined) {
    conditions.push((offer) => (out[offer] as number) <= nowMs);
  }
  if (filter.pastGiveaways) conditions.push((offer) => (started[offer] as number) <= nowMs);
  if (filter.only === "released") conditions.push((offer) => (released[offer] as number) <= nowMs);
  if (filter.only === "upcoming") conditions.push((offer) => (released[offer] as number) > nowMs);
  if (filter.only === "givenAway") conditions.push((offer) => hasGiveaway[offer] === 1);
  return conditions;
}

/** Passes what has been the lowest since then, or for longer; what is missing has not. */
function isLowestSince(lowestSince: PriceTimes | undefined, latestMs: number): Condition {
  return (offer) => (lowestSince?.times[offer] ?? Number.NaN) <= latestMs;
}

function priceConditions(filter: OfferFilter, prices: PriceColumns | undefined): Condition[] {
  const conditions: Condition[] = [];
  // What has no price may lie beyond the end.
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

/** Those of some numbers that pass. A loop: `filter` of an `Int32Array` takes eight times as long. */
export function kept(numbers: Int32Array, passes: (number: number) => boolean): Int32Array {
  const passing = new Int32Array(numbers.length);
  let count = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number;
    if (passes(number)) passing[count++] = number;
  }
  return passing.subarray(0, count);
}
