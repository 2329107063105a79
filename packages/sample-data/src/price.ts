import { observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { shareAsked, watchedRegions } from "./price-list-change.ts";
import { planPricePast, stepsOf } from "./price-steps.ts";
import { Random } from "./random.ts";
import { priceRegions } from "./regional-amount.ts";
import type { PriceRegion } from "./regional-amount.ts";
import type { PriceRule } from "./sale.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import type { Role } from "./role.ts";
import type { Slot } from "./slots.ts";
import { iso } from "./time.ts";

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
 * The past of every third game's price is known in every region, that of all else where most players
 * are; elsewhere the price of today alone, so that a catalogue is not made of prices only.
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
      const share = shareAsked(region.region, fromMs, nowMs);
      const amount = region.amountOf(Math.round(cents * share));
      yield observe("price", fromMs, createPrice(slot, region, amount, rule, fromMs));
    }
  }
}

export type PriceRecord = ReturnType<typeof createPrice>;

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
