import type { Game } from "./game.ts";
import { dayMs, observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { Random } from "./random.ts";
import type { Seed, Source } from "./random.ts";
import { presentSaleName } from "./sale.ts";
import type { Slot } from "./sandbox.ts";
import tagWords from "./words/tags.json" with { type: "json" };

interface TagRecord {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly status: "ACTIVE" | "INACTIVE";
  readonly groupName: string;
}

/** A tag as an offer refers to it. */
export interface TagReference {
  readonly id: string;
  readonly name: string;
}

const aliases: Readonly<Record<string, readonly string[]>> = tagWords.aliases;

/**
 * The same under every seed. An id follows from the positions of the group and of the tag within it, so a
 * tag is added at the end of its group only.
 */
const tags: readonly TagRecord[] = Object.entries(tagWords.names).flatMap(
  ([groupName, names], group) =>
    names.map((name, position) => ({
      id: String(1000 + group * 100 + position),
      name,
      aliases: aliases[name] ?? [],
      status: tagWords.retired.includes(name) ? "INACTIVE" : "ACTIVE",
      groupName,
    })),
);

const references = new Map(tags.map(({ id, name }) => [name, { id, name }]));

/**
 * The tag of that name.
 * @throws Error when there is none.
 */
export function tagNamed(name: string): TagReference {
  const tag = references.get(name);
  if (tag === undefined) throw new Error(`No tag is called "${name}"`);
  return tag;
}

/** Every tag, seen nine years ago, before all other records. */
export function observeTags({ nowMs }: Source): Observed<"tag", TagRecord>[] {
  return tags.map((tag) => observe("tag", nowMs - 9 * 365 * dayMs, tag));
}

const platformTags: Readonly<Record<string, string>> = { Mac: "Mac OS" };

/** The tags of an offer: its genre's, features, platforms, and the sale it takes part in. */
export function createTags(seed: Seed, game: Game, slot: Slot): TagReference[] {
  if (slot.role === "wrapper" || slot.role === "consumable" || slot.role === "currency") return [];
  const random = new Random(seed, "game", game.index + 0x4000_0000);
  const names = new Set(game.genre.tags.slice(0, random.integer(3, 6)));
  for (const platform of game.platforms) names.add(platformTags[platform] ?? platform);
  if (slot.role === "baseGame" || slot.role === "edition" || slot.role === "prePurchase") {
    for (const name of random.pickMany(tagWords.names.feature, random.integer(1, 3)))
      names.add(name);
    for (const name of random.pickMany(tagWords.names.epicfeature, random.integer(0, 2)))
      names.add(name);
    for (const name of random.pickMany(tagWords.names.usersay, random.integer(0, 3)))
      names.add(name);
    if (random.chance(0.2)) names.add(random.pick(tagWords.names.accessibility));
    if (random.chance(0.05)) names.add("Season Library");
  }
  const saleName = presentSaleName(seed, game, slot);
  if (saleName !== null) names.add(saleName);
  return Array.from(names, tagNamed);
}
