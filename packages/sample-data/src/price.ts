import type { Region } from "@storefront/domain/identifiers";
import { dayMs, fullHour, iso, minuteMs, momentBetween, observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { priceListChangeMs, priceRegions, shareAt, watchedRegions } from "./price-list.ts";
import { Random } from "./random.ts";
import type { PriceRegion } from "./price-list.ts";
import { pastSalesOf, presentSaleOf } from "./sale.ts";
import type { PriceRule, Sale } from "./sale.ts";
import type { Role, Sandbox, Slot } from "./sandbox.ts";

/** Prices in US cents from which each sold role picks. */
const tiers: Readonly<Partial<Record<Role, readonly number[]>>> = {
  baseGame: [499, 799, 999, 1499, 1999, 1999, 2499, 2999, 3999, 4999, 5999, 6999],
  prePurchase: [2999, 3999, 4999, 5999, 6999],
  edition: [3999, 4999, 5999, 6999, 7999, 8999],
  bundle: [4999, 5999, 7999, 9999],
  dlc: [299, 499, 799, 999, 1499, 1999, 2499],
  addOn: [99, 199, 299, 499],
  extra: [199, 399, 599],
};

/** Prices of a sandbox: of every sold offer in each region, with their past, oldest first. */
export function* observePrices(sandbox: Sandbox): Generator<Observed<"price", PriceRecord>, void> {
  for (const slot of sandbox.slots) if (slot.sold) yield* observeOfferPrices(sandbox, slot);
}

/**
 * The past of every third game's price is known in every region, that of other offers in the regions with most
 * players; elsewhere only today's price, so that a catalogue does not consist mostly of prices.
 */
function* observeOfferPrices(
  sandbox: Sandbox,
  slot: Slot,
): Generator<Observed<"price", PriceRecord>, void> {
  const { source, game } = sandbox;
  const { nowMs } = source;
  const random = new Random(source.seed, "price", slot.number);
  const free = slot.role === "baseGame" && random.chance(0.06) && game.index % 4 !== 1;
  const dollarCents = free ? 0 : random.pick(tiers[slot.role] ?? [0]);
  const missing = random.chance(0.04) && slot.number > 0 ? random.integer(1, 10) : 0;
  const firstMissing = random.integer(0, priceRegions.length - 1);
  const aside = random.chance(0.15) ? random.pickMany(priceRegions, random.integer(1, 4)) : [];
  const past = planPricePast(sandbox, slot, dollarCents);
  const isFollowedEverywhere = slot.role === "baseGame" && game.index % 3 === 0;
  for (const [n, region] of priceRegions.entries()) {
    if ((n - firstMissing + priceRegions.length) % priceRegions.length < missing) continue;
    const steps = stepsOf(past, !aside.includes(region), region.region, nowMs);
    const isKnown = isFollowedEverywhere || watchedRegions.has(region.region);
    for (const { fromMs, dollarCents: cents, rule } of isKnown ? steps : steps.slice(-1)) {
      const share = shareAt(region.region, fromMs, nowMs);
      const amount = region.amountOf(Math.round(cents * share));
      yield observe("price", fromMs, createPrice(slot, region, amount, rule, fromMs));
    }
  }
}

type PriceRecord = ReturnType<typeof createPrice>;

function createPrice(
  { offerId }: Slot,
  { region, currencyCode }: PriceRegion,
  originalPrice: number,
  rule: PriceRule | null,
  fromMs: number,
) {
  const discountPrice = Math.round((originalPrice * (rule?.discountPercentage ?? 100)) / 100);
  const discount = originalPrice - discountPrice;
  return {
    offerId,
    region,
    // Amounts in minor units.
    price: { currencyCode, originalPrice, discountPrice, discount },
    appliedRules: rule === null ? [] : [rule],
    updatedAt: iso(fromMs),
  };
}

/** The price of an offer in a region from a time on. */
interface PriceStep {
  readonly fromMs: number;
  /** In US cents, before the region's own price list. */
  readonly dollarCents: number;
  /** The sale that lowers it, or null. */
  readonly rule: PriceRule | null;
}

/** The history of an offer's price. */
interface PricePast {
  /** Start of the known past, in ms since 1970: a year ago at most. */
  readonly knownMs: number;
  readonly sales: readonly Sale[];
  /** When the game became permanently cheaper, and its earlier price; null when it did not. */
  readonly cut: { readonly atMs: number; readonly dollarCents: number } | null;
  readonly dollarCents: number;
}

/** The past of an offer's price, backwards from its current price. */
function planPricePast(sandbox: Sandbox, slot: Slot, dollarCents: number): PricePast {
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
function stepsOf(past: PricePast, joinsSales: boolean, region: Region, nowMs: number): PriceStep[] {
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
