import type { Region } from "@storefront/identifiers";
import { dayMs, fullHour } from "./time.ts";

/** A change of all prices of a region. */
interface PriceListChange {
  readonly daysAgo: number;
  /** The share of today's prices that was asked before. */
  readonly earlierShare: number;
}

/** Regions whose prices went another way than those in US dollars during the past year; made up. */
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

/** The share of today's prices that a region asked at a moment. */
export function shareAsked(region: Region, atMs: number, nowMs: number): number {
  const changedMs = priceListChangeMs(region, nowMs);
  return changedMs !== null && atMs < changedMs ? (changes[region]?.earlierShare ?? 1) : 1;
}
