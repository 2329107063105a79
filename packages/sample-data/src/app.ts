import { identifier } from "./identifier.ts";
import { Random } from "./random.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import type { Slot } from "./slots.ts";

/** An installable program of an item. */
export interface App {
  readonly appId: string;
  readonly platforms: readonly string[];
}

const mobilePlatforms = ["Android", "iOS"];

/** Two app numbers for each slot: computers and phones. */
const appsPerSlot = 2;

/** The number of a slot's n-th app, unique over the catalogue. */
export function appNumber(slot: Slot, n: number): number {
  return slot.number * appsPerSlot + n;
}

/** The apps of a slot's own item; only games, demos and half of the expansions have any. */
export function appsOf({ source, game }: Sandbox, slot: Slot): App[] {
  const { seed } = source;
  const app = (n: number, platforms: readonly string[]): App => ({
    appId: identifier(seed, "app", appNumber(slot, n)),
    platforms,
  });
  const computers = game.platforms.filter((platform) => !mobilePlatforms.includes(platform));
  const phones = game.platforms.filter((platform) => mobilePlatforms.includes(platform));
  if (slot.role === "baseGame")
    return phones.length === 0 ? [app(0, computers)] : [app(0, computers), app(1, phones)];
  if (slot.role === "demo") return [app(0, ["Windows"])];
  const separate = slot.role === "dlc" && new Random(seed, "app", slot.number).chance(0.5);
  return separate ? [app(0, computers)] : [];
}
