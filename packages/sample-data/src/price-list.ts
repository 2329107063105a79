import type { Region } from "@storefront/domain/identifiers";
import { regions } from "@storefront/domain/regions";
import { dayMs, fullHour } from "./observe.ts";

/** Typical prices of a currency. */
interface Tariff {
  /** Minor units of the currency for one US dollar on a price list; rough and invented. */
  readonly minorPerDollar: number;
  /** Prices are multiples of this, less `belowMinor`; in minor units. */
  readonly stepMinor: number;
  readonly belowMinor: number;
}

const tariffs: Readonly<Record<string, Tariff>> = {
  USD: { minorPerDollar: 100, stepMinor: 100, belowMinor: 1 },
  EUR: { minorPerDollar: 100, stepMinor: 100, belowMinor: 1 },
  GBP: { minorPerDollar: 85, stepMinor: 100, belowMinor: 1 },
  CHF: { minorPerDollar: 110, stepMinor: 100, belowMinor: 10 },
  AUD: { minorPerDollar: 150, stepMinor: 100, belowMinor: 5 },
  NZD: { minorPerDollar: 160, stepMinor: 100, belowMinor: 1 },
  CAD: { minorPerDollar: 130, stepMinor: 100, belowMinor: 1 },
  SGD: { minorPerDollar: 120, stepMinor: 100, belowMinor: 10 },
  AED: { minorPerDollar: 360, stepMinor: 100, belowMinor: 0 },
  SAR: { minorPerDollar: 370, stepMinor: 100, belowMinor: 0 },
  QAR: { minorPerDollar: 360, stepMinor: 100, belowMinor: 0 },
  ILS: { minorPerDollar: 350, stepMinor: 100, belowMinor: 10 },
  BGN: { minorPerDollar: 190, stepMinor: 100, belowMinor: 1 },
  RON: { minorPerDollar: 420, stepMinor: 100, belowMinor: 1 },
  PLN: { minorPerDollar: 380, stepMinor: 100, belowMinor: 1 },
  CZK: { minorPerDollar: 2200, stepMinor: 1000, belowMinor: 100 },
  HUF: { minorPerDollar: 33_000, stepMinor: 10_000, belowMinor: 0 },
  DKK: { minorPerDollar: 700, stepMinor: 500, belowMinor: 0 },
  NOK: { minorPerDollar: 1000, stepMinor: 500, belowMinor: 0 },
  SEK: { minorPerDollar: 1000, stepMinor: 500, belowMinor: 0 },
  BRL: { minorPerDollar: 350, stepMinor: 100, belowMinor: 1 },
  MXN: { minorPerDollar: 1700, stepMinor: 500, belowMinor: 1 },
  COP: { minorPerDollar: 250_000, stepMinor: 100_000, belowMinor: 0 },
  CRC: { minorPerDollar: 40_000, stepMinor: 10_000, belowMinor: 0 },
  PEN: { minorPerDollar: 300, stepMinor: 100, belowMinor: 10 },
  UYU: { minorPerDollar: 3000, stepMinor: 1000, belowMinor: 0 },
  CLP: { minorPerDollar: 600, stepMinor: 100, belowMinor: 10 },
  CNY: { minorPerDollar: 450, stepMinor: 100, belowMinor: 0 },
  HKD: { minorPerDollar: 700, stepMinor: 100, belowMinor: 10 },
  TWD: { minorPerDollar: 2500, stepMinor: 1000, belowMinor: 100 },
  JPY: { minorPerDollar: 120, stepMinor: 100, belowMinor: 20 },
  KRW: { minorPerDollar: 1100, stepMinor: 1000, belowMinor: 100 },
  VND: { minorPerDollar: 12_000, stepMinor: 10_000, belowMinor: 1000 },
  IDR: { minorPerDollar: 900_000, stepMinor: 100_000, belowMinor: 0 },
  INR: { minorPerDollar: 4000, stepMinor: 1000, belowMinor: 100 },
  MYR: { minorPerDollar: 250, stepMinor: 100, belowMinor: 10 },
  PHP: { minorPerDollar: 3000, stepMinor: 1000, belowMinor: 100 },
  THB: { minorPerDollar: 2000, stepMinor: 500, belowMinor: 0 },
  KZT: { minorPerDollar: 25_000, stepMinor: 10_000, belowMinor: 0 },
  RUB: { minorPerDollar: 4500, stepMinor: 1000, belowMinor: 100 },
  TRY: { minorPerDollar: 1500, stepMinor: 500, belowMinor: 1 },
  UAH: { minorPerDollar: 1800, stepMinor: 1000, belowMinor: 100 },
  ZAR: { minorPerDollar: 1200, stepMinor: 500, belowMinor: 1 },
};

/** Regions that pay in US dollars, but less of them; a share of the price in the region US. */
const dollarShares: Readonly<Record<string, number>> = {
  AFRICA: 0.6,
  AR: 0.5,
  CIS: 0.5,
  LATAM: 0.6,
  MIDEAST: 0.8,
  SEA: 0.6,
  EAST: 0.7,
};

/** A region, as far as a price list uses it. */
export interface PriceRegion {
  readonly region: Region;
  readonly currencyCode: string;
  /** A price there, in minor units, from a price in US cents; free stays free. */
  readonly amountOf: (dollarCents: number) => number;
}

/** Every region of the storefront, in the order of its table. */
export const priceRegions: readonly PriceRegion[] = regions.map((region) => {
  const { region: name, currencyCode } = region;
  const tariff = tariffs[currencyCode];
  if (tariff === undefined) throw new Error(`The currency ${currencyCode} has no tariff`);
  const { minorPerDollar, stepMinor, belowMinor } = tariff;
  const stepsPerCent = (minorPerDollar * (dollarShares[name] ?? 1)) / 100 / stepMinor;
  const amountOf = (dollarCents: number) =>
    dollarCents === 0
      ? 0
      : Math.max(1, Math.round(dollarCents * stepsPerCent)) * stepMinor - belowMinor;
  return { region: name, currencyCode, amountOf };
});

/** A change of all prices of a region. */
interface PriceListChange {
  readonly daysAgo: number;
  /** The earlier prices as a share of today's. */
  readonly earlierShare: number;
}

/** Regions whose prices changed differently from those in US dollars during the past year; invented. */
const changes: Readonly<Record<string, PriceListChange>> = {
  AR: { daysAgo: 301, earlierShare: 0.55 },
  IN2: { daysAgo: 96, earlierShare: 0.85 },
  JP: { daysAgo: 158, earlierShare: 0.9 },
  PL: { daysAgo: 44, earlierShare: 1.1 },
  RU: { daysAgo: 262, earlierShare: 0.8 },
  TR: { daysAgo: 210, earlierShare: 0.6 },
};

/** Regions whose every price is followed all the time. */
export const watchedRegions: ReadonlySet<string> = new Set([
  "US",
  "EURO",
  "GB",
  "CA",
  "AU",
  "BR2",
  "JP",
  "TR",
]);

/** When the prices of a region were changed, in ms since 1970; null when they were not. */
export function priceListChangeMs(region: Region, nowMs: number): number | null {
  const change = changes[region];
  return change === undefined ? null : fullHour(nowMs - change.daysAgo * dayMs);
}

/** The prices of a region at a time as a share of today's. */
export function shareAt(region: Region, atMs: number, nowMs: number): number {
  const changedMs = priceListChangeMs(region, nowMs);
  return changedMs !== null && atMs < changedMs ? (changes[region]?.earlierShare ?? 1) : 1;
}
