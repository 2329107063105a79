import type { Game } from "./game.ts";
import { identifier, numberIn } from "./identifier.ts";
import { at, Random } from "./random.ts";
import type { Role } from "./role.ts";
import type { Source } from "./seed.ts";
import { expand } from "./words/expand.ts";
import {
  addOnSuffixes,
  bundleNames,
  codeNames,
  collectionPatterns,
  editionNames,
  extraNames,
  wrapperPatterns,
} from "./words/offers.ts";

/** One offer of a sandbox, before its details. */
export interface Slot {
  /** Its place in the sandbox, from 0. */
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
 * About 6.5 offers in a sandbox, of which about 43 % are sold in all regions: what is bought inside
 * a game, demos, wrappers and collections have no prices, as in real catalogues. With 52 regions
 * this keeps 2,000 offers at about 107,000 observations, of which five in six are prices.
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
export function planSlots(source: Source, game: Game): Slot[] {
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
      title: slotTitle(random, game, role, n),
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

/** The title of a sandbox's n-th offer. */
function slotTitle(random: Random, game: Game, role: Role, n: number): string {
  return titles[role](random, game, n);
}

const titles: Readonly<Record<Role, (random: Random, game: Game, n: number) => string>> = {
  baseGame: (_, { title }) => title,
  prePurchase: (_, { title }) => `${title} – Pre-Purchase`,
  dlc: (random, { title, genre }, n) =>
    random.chance(0.6)
      ? `${title}: ${inTurn(genre.addOns, n)}`
      : `${title} - The ${random.pick(genre.adjectives)} ${random.pick(genre.nouns)}`,
  addOn: (random, { title, genre }, n) =>
    `${title}: ${inTurn(genre.addOns, n)}${random.pick(addOnSuffixes)}`,
  edition: (_, { title }, n) => `${title} ${inTurn(editionNames, n)}`,
  bundle: (random, { title }) => `${title} ${random.pick(bundleNames)}`,
  extra: (_, { title }, n) => `${title} ${inTurn(extraNames, n)}`,
  demo: (_, { title }) => `${title} Demo`,
  consumable: (random, { genre }) =>
    `${random.pick(genre.adjectives)} ${random.pick(genre.nouns)} Crate ×${random.integer(1, 20)}`,
  currency: (random, { genre }) =>
    `${(random.integer(1, 40) * 250).toLocaleString("en-US")} ${genre.currency}`,
  wrapper: (random, { title }) =>
    expand(random.pick(wrapperPatterns), { title, code: random.pick(codeNames) }),
  collection: (random, { genre }) =>
    expand(random.pick(collectionPatterns), { genre: at(genre.tags, 0) }),
};

/** Neighbours in a sandbox get different elements. */
function inTurn(list: readonly string[], n: number): string {
  return at(list, n % list.length);
}
