import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { pastAfter } from "@storefront/domain/price-lows";
import type { PricePast, PriceState } from "@storefront/domain/price-lows";

/** An observed state of a price, as far as its lows depend on it; without a record it was deleted. */
export function priceState(observedAt: Date, record: OfferPrice | null | undefined): PriceState {
  const observedAtMs = observedAt.getTime();
  if (record?.price === undefined) return { observedAtMs };
  const { currencyCode, originalPrice, discountPrice } = record.price;
  return {
    observedAtMs,
    updatedAtMs: record.updatedAt && timestampMs(record.updatedAt),
    price: {
      currencyCode,
      originalPrice: Number(originalPrice),
      discountPrice: Number(discountPrice),
    },
  };
}

/**
 * Of all states of a price, in the order of observation, those of a snapshot: they result in the same steps to its lows
 * (`PricePast.steps`), the same lowest amount and the same present state.
 */
export function snapshotStates<State extends PriceState>(states: readonly State[]): State[] {
  let past: PricePast | undefined;
  const starts = states.map((state) => {
    past = pastAfter(past, state);
    return past.lastStartMs;
  });
  // All other states ended before a lower one began, which is in the snapshot.
  const times = new Set(past?.steps.flatMap(([, startMs, endMs]) => [startMs, endMs]));
  const lowest = Math.min(...states.map(amountOf));
  const lowestIndex = states.findIndex((state) => amountOf(state) === lowest);
  const always = new Set([lowestIndex, ...currencyChange(states), states.length - 1]);
  return states.filter((_state, index) => times.has(starts[index] ?? null) || always.has(index));
}

/** Indexes of the last price in another currency than the present one, and of the first after it. */
function currencyChange(states: readonly PriceState[]): number[] {
  const currencyCode = states.findLast(({ price }) => price !== undefined)?.price?.currencyCode;
  const other = states.findLastIndex(
    ({ price }) => price !== undefined && price.currencyCode !== currencyCode,
  );
  if (other === -1) return [];
  return [other, states.findIndex(({ price }, index) => index > other && price !== undefined)];
}

/** In minor units, giveaways too; more than any where there is no price. */
function amountOf({ price }: PriceState): number {
  return price?.discountPrice ?? Number.POSITIVE_INFINITY;
}
