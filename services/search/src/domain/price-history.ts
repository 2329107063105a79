import { asRegion } from "@storefront/identifiers";
import type { Region } from "@storefront/identifiers";
import type { PriceDocument } from "../engine/index-documents.ts";

/**
 * A region's price: original and discounted amount in minor units, when it was updated in
 * milliseconds, and the lowest discounted amount on record. The amounts are null where there is no
 * price any more.
 */
export type StoredPrice = [
  original: number | null,
  discounted: number | null,
  updatedAtMs: number | null,
  lowest: number | null,
];

/** Prices of an offer by region. */
export type StoredPrices = Record<Region, StoredPrice>;

/** A price as it is seen. */
export interface SeenPrice {
  readonly original: number;
  readonly discounted: number;
  readonly updatedAtMs: number | undefined;
}

/** The stored state of a price after it was seen, or seen no more: the lowest on record never rises. */
export function withPrice(
  before: StoredPrice | undefined,
  seen: SeenPrice | undefined,
): StoredPrice {
  const lowest = before?.[3] ?? null;
  if (seen === undefined) return [null, null, null, lowest];
  const { original, discounted, updatedAtMs = null } = seen;
  return [original, discounted, updatedAtMs, Math.min(lowest ?? discounted, discounted)];
}

/** The present prices out of the stored ones. */
export function priceDocuments(prices: StoredPrices): PriceDocument[] {
  return Object.entries(prices).flatMap(([region, [original, discounted, updatedAtMs, lowest]]) => {
    if (original === null || discounted === null) return [];
    const isLowest = discounted < original && discounted <= (lowest ?? discounted);
    const updated = updatedAtMs ?? undefined;
    return [
      {
        region: asRegion(region),
        originalPrice: original,
        discountPrice: discounted,
        isLowest,
        updatedAtMs: updated,
      },
    ];
  });
}
