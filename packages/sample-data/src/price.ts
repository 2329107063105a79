import type { ObservationOf } from "./observation.ts";
import { Random } from "./random.ts";
import { priceRegions } from "./regional-amount.ts";
import { saleOf } from "./sale.ts";
import type { Sale } from "./sale.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Role, Slot } from "./slots.ts";
import { dayMs, fullHour, iso } from "./time.ts";

export interface PriceRecord {
  readonly offerId: string;
  readonly region: string;
  readonly price: {
    readonly currencyCode: string;
    /** Minor units, as the two below. */
    readonly originalPrice: number;
    readonly discountPrice: number;
    readonly discount: number;
  };
  readonly updatedAt: string;
  readonly appliedRules: readonly PriceRule[];
}

interface PriceRule {
  readonly id: string;
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string;
  /** The share still to be paid: 30 is 70 % off. */
  readonly discountPercentage: number;
}

/** A price of an offer in all regions from one moment on. */
interface Tier {
  readonly fromMs: number;
  readonly rule: PriceRule | null;
}

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

/** Prices of a sandbox: one in each region for every sold offer, oldest first. */
export function observePrices(sandbox: Sandbox): ObservationOf<"price">[] {
  return sandbox.slots.flatMap((slot) => (slot.sold ? observeOfferPrices(sandbox, slot) : []));
}

function observeOfferPrices({ source, game }: Sandbox, slot: Slot): ObservationOf<"price">[] {
  const random = new Random(source.seed, "price", slot.number);
  const free = slot.role === "baseGame" && random.chance(0.06) && game.index % 4 !== 1;
  const dollarCents = free ? 0 : random.pick(tiers[slot.role] ?? [0]);
  const missing = random.chance(0.04) && slot.number > 0 ? random.integer(1, 10) : 0;
  const firstMissing = random.integer(0, priceRegions.length - 1);
  const observations: ObservationOf<"price">[] = [];
  for (const { fromMs, rule } of createTiers(
    random,
    source.nowMs,
    saleOf(source.seed, game, slot),
  )) {
    const updatedAt = iso(fromMs);
    const appliedRules = rule === null ? [] : [rule];
    priceRegions.forEach(({ region, currencyCode, amountOf }, n) => {
      if ((n - firstMissing + priceRegions.length) % priceRegions.length < missing) return;
      const originalPrice = amountOf(dollarCents);
      const payablePercent = rule?.discountPercentage ?? 100;
      const discountPrice = Math.round((originalPrice * payablePercent) / 100);
      const discount = originalPrice - discountPrice;
      observations.push({
        kind: "price",
        op: "upsert",
        observedAt: updatedAt,
        record: {
          offerId: slot.offerId,
          region,
          price: { currencyCode, originalPrice, discountPrice, discount },
          updatedAt,
          appliedRules,
        },
      });
    });
  }
  return observations;
}

/** The present price, and before it, where a history is known, a full and a former sale's price. */
function createTiers(random: Random, nowMs: number, sale: Sale | null): Tier[] {
  const fromMs = fullHour(nowMs - random.integer(1, 20) * dayMs) + random.integer(0, 59_999);
  if (sale === null) return [{ fromMs: fromMs - random.integer(20, 300) * dayMs, rule: null }];
  const endMs = fullHour(nowMs + random.integer(3, 60) * dayMs);
  const present = { fromMs, rule: createRule(sale, sale.payablePercent, fromMs, endMs) };
  if (!sale.hasHistory) return [present];
  const formerMs = fromMs - 120 * dayMs;
  const formerPercent = Math.min(95, Math.max(5, sale.payablePercent + random.integer(-4, 8) * 5));
  const former = createRule(sale, formerPercent, formerMs, formerMs + 14 * dayMs);
  return [
    { fromMs: formerMs - 100 * dayMs, rule: null },
    { fromMs: formerMs, rule: former },
    present,
  ];
}

function createRule(sale: Sale, payablePercent: number, startMs: number, endMs: number): PriceRule {
  return {
    id: sale.ruleId,
    name: `${sale.name} (${100 - payablePercent}% off)`,
    startDate: iso(fullHour(startMs)),
    endDate: iso(endMs),
    discountPercentage: payablePercent,
  };
}
