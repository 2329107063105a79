import { dayMs, iso, momentBetween, observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { identifier, Random } from "./random.ts";
import type { Role, Sandbox, Slot } from "./sandbox.ts";
import { createImages, describe, textAttribute, trueAttribute } from "./shared-members.ts";

const categories: Readonly<Partial<Record<Role, readonly string[]>>> = {
  baseGame: ["games", "applications"],
  demo: ["games", "games/demo", "applications"],
  consumable: ["addons", "consumable"],
  currency: ["addons", "consumable"],
};

/** The items of a sandbox: one for each offer that has its own; programs have an earlier state. */
export function observeItems(sandbox: Sandbox): Observed<"item", ItemRecord>[] {
  return sandbox.slots.flatMap((slot) => {
    if (slot.itemId === null) return [];
    const item = createItem(sandbox, slot, slot.itemId);
    const modifiedMs = Date.parse(item.lastModifiedDate);
    const present = observe("item", modifiedMs, item);
    const random = new Random(sandbox.source.seed, "recordPast", slot.number);
    const earlierMs = momentBetween(random, sandbox.game.createdMs, modifiedMs);
    if (item.technicalDetails === null || random.chance(0.3) || earlierMs === modifiedMs)
      return [present];
    return [observe("item", earlierMs, beforeTests(item, earlierMs)), present];
  });
}

/** The program before its requirements were known. */
function beforeTests(item: ItemRecord, modifiedMs: number): ItemRecord {
  return {
    ...item,
    technicalDetails: null,
    keyImages: item.keyImages.slice(0, 1),
    lastModifiedDate: iso(modifiedMs),
  };
}

type ItemRecord = ReturnType<typeof createItem>;

function createItem(sandbox: Sandbox, slot: Slot, id: string) {
  const { game, source } = sandbox;
  const random = new Random(source.seed, "item", slot.number);
  const { short } = describe(random, game, slot.role, slot.title);
  const apps = appsOf(sandbox, slot);
  const executable = slot.role === "baseGame" || slot.role === "demo";
  const usedUp = slot.role === "consumable" || slot.role === "currency";
  const modifiedMs = momentBetween(random, game.createdMs, source.nowMs);
  return {
    id,
    namespace: game.namespace,
    title: slot.title,
    description: executable ? short : slot.title,
    longDescription: null,
    technicalDetails: executable ? requirements(random) : null,
    keyImages: createImages(source.seed, slot.number, executable ? 2 : 1),
    categories: (categories[slot.role] ?? ["addons", "applications"]).map((path) => ({ path })),
    status: random.chance(0.03) ? "SUNSET" : "ACTIVE",
    creationDate: iso(game.createdMs),
    lastModifiedDate: iso(modifiedMs),
    customAttributes: executable
      ? [trueAttribute("canRunOffline"), textAttribute("folderName", game.slug)]
      : [],
    entitlementName: id,
    entitlementType: executable ? "EXECUTABLE" : "ENTITLEMENT",
    itemType: usedUp ? "CONSUMABLE" : "DURABLE",
    releaseInfo: apps.map(({ appId, platforms }, n) => ({
      id: identifier(source.seed, "releaseInfo", appNumber(slot, n)),
      appId,
      platform: platforms,
      dateAdded: iso(game.createdMs + dayMs),
    })),
    developer: game.makers.developer,
    developerId: game.makers.developerId,
    eulaIds: executable ? [`eula-${game.slug}`.slice(0, 100)] : [],
    endOfSupport: random.chance(0.02),
    unsearchable: usedUp,
    applicationId: null,
    requiresSecureAccount: random.chance(0.1) ? random.chance(0.5) : null,
    selfRefundable: random.chance(0.5) ? !usedUp : null,
  };
}

function requirements(random: Random): string {
  const memory = random.pick([4, 8, 8, 16, 32]);
  return `${memory} GB of memory, ${random.integer(1, 90)} GB of disk space, a screen of 1280 × 720.`;
}

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
