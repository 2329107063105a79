import type { Game } from "./game.ts";
import { identifier, Random } from "./random.ts";
import type { Sandbox, Slot } from "./sandbox.ts";
import type { Seed } from "./random.ts";
import { dayMs, fullHour, iso } from "./observe.ts";
import words from "./words/offers.json" with { type: "json" };

/** A sale of an offer, past or present. */
export interface Sale {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly rule: PriceRule;
}

/** A sale, as prices have it. */
export interface PriceRule {
  readonly id: string;
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string;
  /** The share still to be paid: 30 is 70 % off. */
  readonly discountPercentage: number;
}

/** When the sales of the past year began, in days before now; the last one was over before the present ones. */
const seasonStartDays = [347, 291, 238, 182, 125, 68];

const seasonLengthDays = 14;

/** The sales that an offer took part in during the past year, oldest first. */
export function pastSalesOf({ source, game }: Sandbox, slot: Slot): Sale[] {
  if (!slot.sold || game.upcoming) return [];
  const { seed, nowMs } = source;
  const ofGame = new Random(seed, "pastSale", game.index);
  const ofSlot = new Random(seed, "pastSale", -1 - slot.number);
  const eagerness = 0.15 + 0.45 * ofGame.unit();
  return seasonStartDays.flatMap((days, season) => {
    const joins = ofGame.chance(eagerness);
    const payablePercent = ofGame.integer(4, 18) * 5;
    const isLeftOut = slot.role !== "baseGame" && ofSlot.chance(0.4);
    if (!joins || isLeftOut) return [];
    const startMs = fullHour(nowMs - days * dayMs);
    const endMs = startMs + seasonLengthDays * dayMs;
    return [createSale(seed, season, payablePercent, startMs, endMs)];
  });
}

/**
 * The sale that an offer takes part in at present, or null. Every fourth game is on sale with most of
 * its offers, so that the smallest catalogue has some.
 */
export function presentSaleOf({ source, game }: Sandbox, slot: Slot): Sale | null {
  if (!isOnSale(source.seed, game, slot)) return null;
  const random = new Random(source.seed, "presentSale", slot.number);
  const startMs = fullHour(source.nowMs - random.integer(1, 20) * dayMs);
  const endMs = fullHour(source.nowMs + random.integer(3, 60) * dayMs);
  const payablePercent = random.integer(2, 18) * 5;
  return createSale(source.seed, presentSeason(game), payablePercent, startMs, endMs);
}

/** The name of that sale, or null. */
export function presentSaleName(seed: Seed, game: Game, slot: Slot): string | null {
  return isOnSale(seed, game, slot) ? nameOf(presentSeason(game)) : null;
}

function isOnSale(seed: Seed, game: Game, slot: Slot): boolean {
  if (!slot.sold || game.index % 4 !== 1) return false;
  return slot.role === "baseGame" || !new Random(seed, "sale", slot.number).chance(0.3);
}

function presentSeason(game: Game): number {
  return Math.floor(game.index / 4) % words.saleNames.length;
}

function createSale(
  seed: Seed,
  season: number,
  payablePercent: number,
  startMs: number,
  endMs: number,
): Sale {
  const name = nameOf(season);
  const rule = {
    id: identifier(seed, "sale", season * 100 + payablePercent),
    name: `${name} (${100 - payablePercent}% off)`,
    startDate: iso(startMs),
    endDate: iso(endMs),
    discountPercentage: payablePercent,
  };
  return { name, startMs, endMs, rule };
}

function nameOf(season: number): string {
  return words.saleNames[season % words.saleNames.length] ?? "Sale";
}
