import type { IntegerName } from "../../../domain/offer-fields.ts";
import type { SortField } from "../../../domain/field-types.ts";
import { sortFields } from "../../../domain/offer-fields.ts";
import { isReversed } from "../../offer-search.ts";
import type { OfferOrder, OfferSortKey } from "../../offer-search.ts";
import type { SearchColumns } from "./index-columns.ts";
import type { PriceTimeName } from "./price-columns.ts";

const timesByKey: Readonly<Partial<Record<OfferSortKey, readonly PriceTimeName[]>>> = {
  priceUpdatedAt: ["updatedAt"],
  lowestFor: ["lowestSince"],
};

/** Times of prices for a sort key. */
export function timesOf(key: OfferSortKey): readonly PriceTimeName[] {
  return timesByKey[key] ?? [];
}

/** Sort values of offers, lowest first; missing ones are infinite. */
export function sortKeys(
  offers: Int32Array,
  { key, isAscending }: OfferOrder,
  columns: SearchColumns,
): Float64Array {
  // Ties are broken by relevance anyway.
  if (key === "relevance") return new Float64Array(offers.length).fill(Number.POSITIVE_INFINITY);
  const valueOf = valuesOf(key, columns);
  const isUp = isReversed(key) ? !isAscending : isAscending;
  const keys = new Float64Array(offers.length);
  for (let index = 0; index < offers.length; index++) {
    const value = valueOf(offers[index] as number) ?? Number.NaN;
    keys[index] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : isUp ? value : -value;
  }
  return keys;
}

/** NaN or undefined for missing values. */
function valuesOf(
  key: Exclude<OfferSortKey, "relevance">,
  { offers, prices, times }: SearchColumns,
): (offer: number) => number | undefined {
  const { by }: SortField<IntegerName> = sortFields[key];
  if (by !== undefined) {
    const column = offers.integers[by];
    return (offer) => column[offer];
  }
  if (key === "priceUpdatedAt") return (offer) => times.updatedAt?.times[offer];
  if (key === "lowestFor") return (offer) => times.lowestSince?.times[offer];
  if (prices === undefined) return () => undefined;
  const { discounted, original } = prices;
  const ofPrice = (value: (discounted: number, original: number) => number) => (offer: number) => {
    const amount = discounted[offer] ?? -1;
    return amount < 0 ? undefined : value(amount, original[offer] as number);
  };
  if (key === "price") return ofPrice((amount) => amount);
  if (key === "discount") return ofPrice((amount, full) => full - amount);
  // Equal fractions have equal quotients.
  return ofPrice((amount, full) => (full === 0 ? 0 : (full - amount) / full));
}
