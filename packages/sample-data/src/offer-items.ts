import { identifier, numberIn } from "./identifier.ts";
import { Random } from "./random.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import type { Source } from "./seed.ts";
import type { Role } from "./role.ts";
import type { Slot } from "./slots.ts";

/** An item as an offer refers to it. */
interface ItemReference {
  readonly id: string;
  readonly namespace: string;
}

/** What the buyer of an offer gets. All of it stands earlier in the catalogue. */
export function offerItems(sandbox: Sandbox, slot: Slot): ItemReference[] {
  const { source, game, slots } = sandbox;
  const own = (id: string | null) => (id === null ? [] : [{ id, namespace: game.namespace }]);
  const base = slots.slice(0, 1).flatMap(({ itemId }) => own(itemId));
  const expansions = slots
    .filter(({ role, n }) => role === "dlc" && n < slot.n)
    .flatMap(({ itemId }) => own(itemId));
  const given: Partial<Record<Role, ItemReference[]>> = {
    edition: [...base, ...expansions.slice(0, 1)],
    bundle: [...base, ...expansions, ...previousGame(source, game.index)],
    prePurchase: base,
    collection: base,
    wrapper: slot.n % 2 === 0 ? base : [],
  };
  return given[slot.role] ?? own(slot.itemId);
}

/** The base game of the sandbox before. */
function previousGame({ seed }: Source, index: number): ItemReference[] {
  if (index === 0) return [];
  const id = identifier(seed, "item", numberIn(index - 1, 0));
  return [{ id, namespace: identifier(seed, "sandbox", index - 1) }];
}

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
