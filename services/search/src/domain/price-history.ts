import { asRegion } from "@storefront/identifiers";
import type { Region } from "@storefront/identifiers";
import { floorAfter, lowestSince } from "@storefront/price-lows";
import type { PriceFloor, PriceState } from "@storefront/price-lows";
import type { PriceDocument } from "../engine/index-documents.ts";

/** A floor as it is stored; the currency is null while there was no price. */
export type StoredFloor = [
  lastStartMs: number,
  currencyCode: string | null,
  amounts: PriceFloor["amounts"],
];

/**
 * A region's price: original and discounted amount in minor units, when it was updated in
 * milliseconds, the lowest discounted amount on record, and what its lows are told by. The amounts are null where
 * there is no price any more. Releases that knew no lows have left prices without the last, and what was before is not
 * known of these.
 */
export type StoredPrice = [
  original: number | null,
  discounted: number | null,
  updatedAtMs: number | null,
  lowest: number | null,
  floor?: StoredFloor | null,
];

/** Prices of an offer by region. */
export type StoredPrices = Record<Region, StoredPrice>;

/** The stored state of a price after it was seen, or seen no more: the lowest on record never rises. */
export function withPrice(before: StoredPrice | undefined, seen: PriceState): StoredPrice {
  const lowest = before?.[3] ?? null;
  const floor = floorWith(before, seen);
  if (seen.price === undefined) return [null, null, null, lowest, floor];
  const { originalPrice, discountPrice } = seen.price;
  const leastOnRecord = Math.min(lowest ?? discountPrice, discountPrice);
  return [originalPrice, discountPrice, seen.updatedAtMs ?? null, leastOnRecord, floor];
}

function floorWith(before: StoredPrice | undefined, seen: PriceState): StoredFloor | null {
  // There was no price before, or what was is forgotten.
  if (before === undefined || before[3] === null) return stored(floorAfter(undefined, seen));
  const floor = floorOf(before);
  return floor === undefined ? null : stored(floorAfter(floor, seen));
}

function stored({ lastStartMs, currencyCode, amounts }: PriceFloor): StoredFloor {
  return [lastStartMs, currencyCode ?? null, amounts];
}

function floorOf([, , , , floor]: StoredPrice): PriceFloor | undefined {
  if (floor === undefined || floor === null) return undefined;
  const [lastStartMs, currencyCode, amounts] = floor;
  return { lastStartMs, ...(currencyCode !== null && { currencyCode }), amounts };
}

/**
 * The present prices out of the stored ones.
 *
 * @param releasedAtMs when the offer is released; undefined where that is not known
 */
export function priceDocuments(prices: StoredPrices, releasedAtMs?: number): PriceDocument[] {
  return Object.entries(prices).flatMap(([region, price]) => {
    const [original, discounted, updatedAtMs, lowest] = price;
    if (original === null || discounted === null) return [];
    const floor = floorOf(price);
    return [
      {
        region: asRegion(region),
        originalPrice: original,
        discountPrice: discounted,
        isLowest: discounted < original && discounted <= (lowest ?? discounted),
        lowestSinceMs: floor && lowestSince(floor, releasedAtMs),
        updatedAtMs: updatedAtMs ?? undefined,
      },
    ];
  });
}
