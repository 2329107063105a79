import type { Game } from "./game.ts";
import { identifier } from "./identifier.ts";
import { Random } from "./random.ts";
import type { Seed } from "./seed.ts";
import type { Slot } from "./slots.ts";
import { saleNames } from "./words/offers.ts";

/** A sale that an offer takes part in at present. */
export interface Sale {
  readonly ruleId: string;
  readonly name: string;
  /** The share of the price that is still to be paid, in per cent. */
  readonly payablePercent: number;
  /** The offer's earlier prices are known: a full one and a lower one. */
  readonly hasHistory: boolean;
}

/**
 * The sale of an offer, or null. Every fourth game is on sale with most of its offers, so that the
 * smallest catalogue has some.
 */
export function saleOf(seed: Seed, game: Game, slot: Slot): Sale | null {
  if (!slot.sold || game.index % 4 !== 1) return null;
  const random = new Random(seed, "sale", slot.number);
  if (slot.role !== "baseGame" && random.chance(0.3)) return null;
  const saleNumber = Math.floor(game.index / 4) % saleNames.length;
  const payablePercent = random.integer(2, 18) * 5;
  return {
    ruleId: identifier(seed, "sale", saleNumber * 100 + payablePercent),
    name: saleNames[saleNumber] ?? "Sale",
    payablePercent,
    hasHistory: slot.role === "baseGame" && game.index % 16 === 1,
  };
}
