import { createGame } from "./game.ts";
import type { Game } from "./game.ts";
import { iso, momentBetween, observe } from "./observe.ts";
import { at, identifier, numberIn, Random } from "./random.ts";
import type { Source } from "./random.ts";
import { expand } from "./words.ts";
import words from "./words/offers.json" with { type: "json" };

/** The role of an offer in its sandbox; several roles share an `offerType`. */
export type Role =
  | "baseGame"
  | "prePurchase"
  | "dlc"
  | "addOn"
  | "edition"
  | "bundle"
  | "extra"
  | "demo"
  | "consumable"
  | "currency"
  | "wrapper"
  | "collection";

/** A sandbox with the data that its records are generated from. */
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

/** One offer of a sandbox, before its details. */
export interface Slot {
  /** Its position in the sandbox, from 0. */
  readonly n: number;
  /** Its number in the whole catalogue. */
  readonly number: number;
  readonly role: Role;
  readonly offerId: string;
  readonly title: string;
  /** The item made for this offer, if it has one of its own. */
  readonly itemId: string | null;
  /** Whether it has prices. */
  readonly sold: boolean;
}

interface RoleRule {
  readonly role: Role;
  /** Share of sandboxes that have any. */
  readonly share: number;
  readonly from: number;
  readonly to: number;
  /** Share of the offers that have prices. */
  readonly sold: number;
  readonly ownItem: boolean;
}

/**
 * About 6.5 offers in a sandbox; about 43 % of them are sold in all regions: in-game purchases, demos,
 * wrappers and collections have no prices, as in real catalogues. With 52 regions 2,000 offers have about
 * 107,000 observations, five in six of them prices.
 * In this order, so that an offer refers to earlier ones only.
 */
const rules: readonly RoleRule[] = [
  { role: "dlc", share: 0.42, from: 1, to: 3, sold: 1, ownItem: true },
  { role: "addOn", share: 0.3, from: 1, to: 3, sold: 0.5, ownItem: true },
  { role: "edition", share: 0.3, from: 1, to: 2, sold: 1, ownItem: false },
  { role: "bundle", share: 0.1, from: 1, to: 1, sold: 1, ownItem: false },
  { role: "extra", share: 0.2, from: 1, to: 2, sold: 0.6, ownItem: true },
  { role: "demo", share: 0.15, from: 1, to: 1, sold: 0, ownItem: true },
  { role: "consumable", share: 0.25, from: 2, to: 9, sold: 0, ownItem: true },
  { role: "currency", share: 0.2, from: 1, to: 4, sold: 0, ownItem: true },
  { role: "wrapper", share: 0.55, from: 1, to: 3, sold: 0, ownItem: false },
  { role: "collection", share: 0.06, from: 1, to: 1, sold: 0, ownItem: false },
];

/** The offers of a sandbox, the base game first. The first sandbox has every role. */
function planSlots(source: Source, game: Game): Slot[] {
  const random = new Random(source.seed, "slots", game.index);
  const slots: Slot[] = [];
  const add = (role: Role, sold: boolean, ownItem: boolean) => {
    const n = slots.length;
    const number = numberIn(game.index, n);
    slots.push({
      n,
      number,
      role,
      offerId: identifier(source.seed, "offer", number),
      title: titles[role](random, game, n),
      itemId: ownItem ? identifier(source.seed, "item", number) : null,
      sold,
    });
  };
  add("baseGame", !game.upcoming, true);
  if (game.upcoming && (game.index % 24 === 5 || random.chance(0.4)))
    add("prePurchase", true, false);
  for (const rule of rules) {
    const some = random.chance(rule.share) || game.index === 0;
    const count = some ? random.integer(rule.from, rule.to) : 0;
    for (let n = 0; n < count; n++) add(rule.role, random.chance(rule.sold), rule.ownItem);
  }
  return slots;
}

/** Titles by role, of a sandbox's n-th offer. */
const titles: Readonly<Record<Role, (random: Random, game: Game, n: number) => string>> = {
  baseGame: (_, { title }) => title,
  prePurchase: (_, { title }) => `${title} – Pre-Purchase`,
  dlc: (random, { title, genre }, n) =>
    random.chance(0.6)
      ? `${title}: ${inTurn(genre.addOns, n)}`
      : `${title} - The ${random.pick(genre.adjectives)} ${random.pick(genre.nouns)}`,
  addOn: (random, { title, genre }, n) =>
    `${title}: ${inTurn(genre.addOns, n)}${random.pick(words.addOnSuffixes)}`,
  edition: (_, { title }, n) => `${title} ${inTurn(words.editionNames, n)}`,
  bundle: (random, { title }) => `${title} ${random.pick(words.bundleNames)}`,
  extra: (_, { title }, n) => `${title} ${inTurn(words.extraNames, n)}`,
  demo: (_, { title }) => `${title} Demo`,
  consumable: (random, { genre }) =>
    `${random.pick(genre.adjectives)} ${random.pick(genre.nouns)} Crate ×${random.integer(1, 20)}`,
  currency: (random, { genre }) =>
    `${(random.integer(1, 40) * 250).toLocaleString("en-US")} ${genre.currency}`,
  wrapper: (random, { title }) =>
    expand(random.pick(words.wrapperPatterns), { title, code: random.pick(words.codeNames) }),
  collection: (random, { genre }) =>
    expand(random.pick(words.collectionPatterns), { genre: at(genre.tags, 0) }),
};

/** Neighbours in a sandbox get different elements. */
function inTurn(list: readonly string[], n: number): string {
  return at(list, n % list.length);
}

/** The sandbox's own record; a few have no display name, a few are closed, a few got their name late. */
export function observeSandbox({ source, game }: Sandbox) {
  const random = new Random(source.seed, "sandbox", game.index);
  const updatedMs = momentBetween(random, game.createdMs, source.nowMs);
  const record = {
    id: game.namespace,
    title: game.title,
    displayName: random.chance(0.03) ? null : game.title,
    status: random.chance(0.02) ? "INACTIVE" : "ACTIVE",
    store: random.chance(0.95) ? "main" : "partner",
    slug: game.slug,
    createdAt: iso(game.createdMs),
    updated: iso(updatedMs),
  };
  const present = observe("sandbox", updatedMs, record);
  if (!random.chance(0.2) || updatedMs === game.createdMs) return [present];
  const unnamed = { ...record, displayName: null, updated: record.createdAt };
  return [observe("sandbox", game.createdMs, unnamed), present];
}
