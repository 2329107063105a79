import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import type { Region } from "@storefront/domain/identifiers";
import { floorAfter, lowestSince, neverLowerMs } from "@storefront/domain/price-lows";
import type { PriceFloor, PriceState } from "@storefront/domain/price-lows";
import type { PriceDocument } from "../engine/index-documents.ts";

/**
 * A floor as it is stored; the currency is null while there was no price. The last state was observed when it began
 * (`lastStartMs`) or later; the time of that is absent from floors that an earlier release has stored.
 */
export type StoredFloor = [
  lastStartMs: number,
  currencyCode: string | null,
  amounts: PriceFloor["amounts"],
  lastObservedMs?: number,
];

/** A region's price as it is stored; the amounts are null where there is no price any more. */
export interface StoredPrice {
  /** In minor units. */
  readonly original: number | null;
  /** In minor units. */
  readonly discounted: number | null;
  readonly updatedAtMs: number | null;
  /** The lowest discounted amount on record, in minor units. */
  readonly lowest: number | null;
  /** For release 0.2.0, which knew no lows: null where it has stored the price: what was before is not known. */
  readonly floor: StoredFloor | null;
}

/**
 * The stored state of a price after one more observation: the lowest on record never rises. A log that is followed from
 * before a snapshot repeats states of the snapshot: what was observed before the last state changes nothing.
 */
export function withPrice(before: StoredPrice | undefined, seen: PriceState): StoredPrice {
  const [lastStartMs = Number.NEGATIVE_INFINITY, , , lastObservedMs = lastStartMs] =
    before?.floor ?? [];
  const wasPriced = before !== undefined && before.lowest !== null;
  if (wasPriced && seen.observedAtMs < lastObservedMs) return before;
  const lowest = before?.lowest ?? null;
  const floor = floorWith(before, seen);
  if (seen.price === undefined) {
    return { original: null, discounted: null, updatedAtMs: null, lowest, floor };
  }
  const { originalPrice: original, discountPrice: discounted } = seen.price;
  const leastOnRecord = Math.min(lowest ?? discounted, discounted);
  const updatedAtMs = seen.updatedAtMs ?? null;
  return { original, discounted, updatedAtMs, lowest: leastOnRecord, floor };
}

function floorWith(before: StoredPrice | undefined, seen: PriceState): StoredFloor | null {
  // There was no price before, or what was is forgotten.
  if (before === undefined || before.lowest === null) return storedAfter(undefined, seen);
  const floor = floorOf(before);
  return floor === undefined ? null : storedAfter(floor, seen);
}

function storedAfter(before: PriceFloor | undefined, seen: PriceState): StoredFloor {
  const { lastStartMs, currencyCode, amounts } = floorAfter(before, seen);
  return [lastStartMs, currencyCode ?? null, amounts, seen.observedAtMs];
}

function floorOf({ floor }: StoredPrice): PriceFloor | undefined {
  if (floor === null) return undefined;
  const [lastStartMs, currencyCode, amounts] = floor;
  return { lastStartMs, ...(currencyCode !== null && { currencyCode }), amounts };
}

/** Whether a price's lows depend on the release of the offer: prices before it are no lows. */
export function dependsOnRelease({ floor }: StoredPrice): boolean {
  return floor !== null && floor[2].length > 1;
}

/** A price's lows in an index; null and false where there is no price any more. */
export interface IndexedLows {
  readonly isLowest: boolean;
  /** As in PriceDocument. */
  readonly lowestSinceMs: number | null;
}

/** @param releasedAtMs when the offer is released; undefined where that is not known */
export function indexedLows(price: StoredPrice, releasedAtMs?: number): IndexedLows {
  const { original, discounted, lowest } = price;
  if (original === null || discounted === null) return { isLowest: false, lowestSinceMs: null };
  const floor = floorOf(price);
  return {
    isLowest: discounted < original && discounted <= (lowest ?? discounted),
    lowestSinceMs: (floor && lowestSince(floor, releasedAtMs)) ?? null,
  };
}

/** A price for an index outside of the database; undefined when there is none any more. */
export function priceDocument(
  price: StoredPrice & IndexedLows & { readonly region: Region },
): PriceDocument | undefined {
  const { region, original, discounted, updatedAtMs, isLowest, lowestSinceMs } = price;
  if (original === null || discounted === null) return undefined;
  return {
    region,
    originalPrice: original,
    discountPrice: discounted,
    isLowest,
    lowestSinceMs: lowestSinceMs ?? undefined,
    updatedAtMs: updatedAtMs ?? undefined,
  };
}

const dayMs = 86_400_000;

const daysOf: Readonly<Partial<Record<LowWindow, number>>> = {
  [LowWindow.EVER]: Number.POSITIVE_INFINITY,
  [LowWindow.DAYS_365]: 365,
  [LowWindow.DAYS_90]: 90,
  [LowWindow.DAYS_30]: 30,
};

/**
 * The latest moment since which a price may be the lowest, if it is to be the lowest of a window that ends
 * now; undefined for no window.
 */
export function latestLowestSinceMs(
  window: LowWindow | undefined,
  nowMs: number,
): number | undefined {
  const days = window === undefined ? undefined : daysOf[window];
  return days === undefined ? undefined : Math.max(nowMs - days * dayMs, neverLowerMs);
}
