import type { Game } from "./game.ts";
import { Random } from "./random.ts";
import type { Seed } from "./seed.ts";
import { presentSaleName } from "./sale.ts";
import type { Slot } from "./slots.ts";
import { tagNamed } from "./tag.ts";
import type { TagReference } from "./tag.ts";
import { tagNames } from "./words/tags.ts";

const platformTags: Readonly<Record<string, string>> = { Mac: "Mac OS" };

/** The tags of an offer: its genre's, features, platforms, and the sale it takes part in. */
export function createTags(seed: Seed, game: Game, slot: Slot): TagReference[] {
  if (slot.role === "wrapper" || slot.role === "consumable" || slot.role === "currency") return [];
  const random = new Random(seed, "game", game.index + 0x4000_0000);
  const names = new Set(game.genre.tags.slice(0, random.integer(3, 6)));
  for (const platform of game.platforms) names.add(platformTags[platform] ?? platform);
  if (slot.role === "baseGame" || slot.role === "edition" || slot.role === "prePurchase") {
    for (const name of random.pickMany(tagNames.feature, random.integer(1, 3))) names.add(name);
    for (const name of random.pickMany(tagNames.epicfeature, random.integer(0, 2))) names.add(name);
    for (const name of random.pickMany(tagNames.usersay, random.integer(0, 3))) names.add(name);
    if (random.chance(0.2)) names.add(random.pick(tagNames.accessibility));
    if (random.chance(0.05)) names.add("Season Library");
  }
  const saleName = presentSaleName(seed, game, slot);
  if (saleName !== null) names.add(saleName);
  return Array.from(names, tagNamed);
}
