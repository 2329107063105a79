import { createGame } from "./game.ts";
import type { Game } from "./game.ts";
import type { Source } from "./seed.ts";
import { planSlots } from "./slots.ts";
import type { Slot } from "./slots.ts";

/** A sandbox with everything that its records are made from. */
export interface Sandbox {
  readonly source: Source;
  readonly game: Game;
  readonly slots: readonly Slot[];
}

/** The n-th sandbox, with at most that many offers. */
export function planSandbox(source: Source, index: number, maxOffers: number): Sandbox {
  const game = createGame(source, index);
  return { source, game, slots: planSlots(source, game).slice(0, maxOffers) };
}
