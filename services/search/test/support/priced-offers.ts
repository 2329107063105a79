import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import type { PriceLow, PriceState } from "@storefront/domain/price-lows";
import { modelLows } from "@storefront/domain/price-lows/model";
import type { Seeded } from "@storefront/testkit";
import { expect } from "vitest";
import type { Line, RunningSearch } from "./search-fixture.ts";

const dayMs = 86_400_000;

/** The present time of these tests, at which windows end. */
export const nowMs = Date.now();

/** An offer and all states of its price in the US, oldest first. */
export interface PricedOffer {
  readonly id: string;
  readonly releasedAtMs: number | undefined;
  readonly states: readonly PriceState[];
}

/** A time this many days ago, half a day off every window's edge, so that slow tests do not pass it. */
export const daysBefore = (days: number) => nowMs - (days + 0.5) * dayMs;

export function randomOffer(random: Seeded, index: number): PricedOffer {
  const days = random.some([700, 500, 366, 364, 200, 91, 89, 60, 31, 29, 10, 3], 8);
  const states = [...new Set(days)]
    .toSorted((one, other) => other - one)
    .map((day): PriceState => {
      const observedAtMs = daysBefore(day);
      const originalPrice = random.pick([500, 1000, 1000, 1000]);
      const discountPrice = Math.min(originalPrice, random.pick([0, 300, 300, 500, 700, 1000]));
      const currencyCode = random.chance(0.05) ? "EUR" : "USD";
      const price = { currencyCode, originalPrice, discountPrice };
      return random.chance(0.1) ? { observedAtMs } : { observedAtMs, price };
    });
  const isKnown = random.chance(0.6);
  const releasedAtMs = isKnown ? daysBefore(random.pick([-9, 5, 40, 90, 300, 900])) : undefined;
  return { id: `offer-${index}`, releasedAtMs, states };
}

export function offerLine({ id, releasedAtMs }: Pick<PricedOffer, "id" | "releasedAtMs">): Line {
  const releaseDate = releasedAtMs === undefined ? {} : { releaseDate: isoOf(releasedAtMs) };
  return { kind: "offer", record: { id, ...releaseDate } };
}

export function priceLines({ id, states }: PricedOffer): Line[] {
  return states.map(({ price, observedAtMs }) => ({
    kind: "price",
    op: price === undefined ? "delete" : "upsert",
    seenAt: new Date(observedAtMs),
    record: { offerId: id, region: "US", ...(price && { price }) },
  }));
}

const isoOf = (timeMs: number) => new Date(timeMs).toISOString();

type Low = "ever" | "days365" | "days90" | "days30";

/** Ids of the offers whose price is at this low, by the model. */
export function atTheirLow(offers: readonly PricedOffer[], low: Low): string[] {
  return offers
    .filter(({ states, releasedAtMs }) => {
      const price = states.at(-1)?.price;
      const isGiven = price?.discountPrice === 0 && price.originalPrice > 0;
      const found: PriceLow | null = modelLows(states, { atMs: nowMs, releasedAtMs })[low];
      return !isGiven && found !== null && found.discountPrice === price?.discountPrice;
    })
    .map(({ id }) => id)
    .toSorted();
}

const lowsOfWindows: readonly (readonly [LowWindow, Low])[] = [
  [LowWindow.EVER, "ever"],
  [LowWindow.DAYS_365, "days365"],
  [LowWindow.DAYS_90, "days90"],
  [LowWindow.DAYS_30, "days30"],
];

/** Ids of the offers that a search finds by the low of their price in the US, at most 100. */
export async function findByLow(
  { search }: RunningSearch,
  lowestPriceOf: LowWindow,
): Promise<string[]> {
  const asked = { query: { lowestPriceOf }, region: "US", pageSize: 100 };
  return (await search.searchOffers(asked)).offerIds.toSorted();
}

/** Expects that a search finds the same offers by each low as the model. */
export async function expectLows(
  running: RunningSearch,
  offers: readonly PricedOffer[],
): Promise<void> {
  for (const [window, low] of lowsOfWindows) {
    expect(await findByLow(running, window)).toEqual(atTheirLow(offers, low));
  }
}
