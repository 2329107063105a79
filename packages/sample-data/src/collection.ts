import { identifier, numberIn } from "./identifier.ts";
import { Random } from "./random.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import type { Slot } from "./slots.ts";

/** The most members a collection has. */
const maxMembers = 24;

/** Members of a collection: its own game first, then base games of earlier sandboxes. */
export function collectionMembers({ source, game }: Sandbox, slot: Slot): string[] {
  const random = new Random(source.seed, "slots", slot.number + 0x4000_0000);
  const count = Math.min(random.integer(3, maxMembers), game.index + 1);
  const furthest = Math.floor(game.index / count);
  return Array.from({ length: count }, (_, n) =>
    identifier(source.seed, "offer", numberIn(game.index - n * Math.max(1, furthest), 0)),
  );
}
