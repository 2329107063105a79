import type { Region } from "@storefront/identifiers";
import { priceListChangeMs } from "./price-list-change.ts";
import { Random } from "./random.ts";
import { pastSalesOf, presentSaleOf } from "./sale.ts";
import type { PriceRule, Sale } from "./sale.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import type { Slot } from "./slots.ts";
import { dayMs, fullHour, minuteMs, momentBetween } from "./time.ts";

/** The price of an offer in a region from one moment on. */
export interface PriceStep {
  readonly fromMs: number;
  /** In US cents, before the region's own price list. */
  readonly dollarCents: number;
  /** The sale that lowers it, or null. */
  readonly rule: PriceRule | null;
}

/** How an offer's price came to be what it is. */
export interface PricePast {
  /** Since when it is known, in ms since 1970: for a year at most. */
  readonly knownMs: number;
  readonly sales: readonly Sale[];
  /** When the game became cheaper for good, and what it cost before; null when it did not. */
  readonly cut: { readonly atMs: number; readonly dollarCents: number } | null;
  readonly dollarCents: number;
}

/** The past of an offer's price, back from what it costs now. */
export function planPricePast(sandbox: Sandbox, slot: Slot, dollarCents: number): PricePast {
  const { source, game } = sandbox;
  const random = new Random(source.seed, "pricePast", slot.number);
  const present = presentSaleOf(sandbox, slot);
  const sales = dollarCents === 0 ? [] : pastSalesOf(sandbox, slot);
  if (present !== null) sales.push(present);
  const latestMs = source.nowMs - random.integer(22, 40) * dayMs;
  const firstMs = game.upcoming ? game.createdMs : game.releasedMs;
  const knownMs =
    fullHour(Math.min(latestMs, Math.max(firstMs, source.nowMs - 365 * dayMs))) +
    random.integer(0, 59) * minuteMs;
  const cutMs = fullHour(momentBetween(random, knownMs + 10 * dayMs, source.nowMs - 10 * dayMs));
  const wasCut = random.chance(0.2) && dollarCents > 0 && cutMs > knownMs;
  const before = Math.round((dollarCents * random.pick([1.2, 1.25, 1.33, 1.5])) / 100) * 100 + 99;
  return {
    knownMs,
    sales: sales.filter(({ endMs }) => endMs > knownMs),
    cut: wasCut ? { atMs: cutMs, dollarCents: before } : null,
    dollarCents,
  };
}

/**
 * The steps of that past in a region, oldest first.
 *
 * @param joinsSales whether the region takes part in the sales
 */
export function stepsOf(
  past: PricePast,
  joinsSales: boolean,
  region: Region,
  nowMs: number,
): PriceStep[] {
  const { knownMs, cut, dollarCents } = past;
  const sales = joinsSales ? past.sales : [];
  const listMs = priceListChangeMs(region, nowMs);
  const moments = [
    knownMs,
    ...(cut === null ? [] : [cut.atMs]),
    ...(listMs === null || dollarCents === 0 ? [] : [listMs]),
    ...sales.flatMap(({ startMs, endMs }) => [startMs, endMs]),
  ];
  return [...new Set(moments)]
    .filter((ms) => ms >= knownMs && ms <= nowMs)
    .toSorted((a, b) => a - b)
    .map((fromMs) => ({
      fromMs,
      dollarCents: cut !== null && fromMs < cut.atMs ? cut.dollarCents : dollarCents,
      rule: sales.find(({ startMs, endMs }) => startMs <= fromMs && fromMs < endMs)?.rule ?? null,
    }));
}
